package dev.satchel.runner.host;

/** Why a path leads to nothing, as told over the wire. */
public enum Refusal {
    MISSING,
    /** There is something, but no regular file; its kind follows. */
    IRREGULAR,
    UNSAFE
}
