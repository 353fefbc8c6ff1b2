package dev.satchel.runner.workspace;

/** Why a path leads to nothing, as told over the wire. */
public enum PathRefusal {
    MISSING,
    /** There is something, but no regular file; its kind follows. */
    IRREGULAR,
    UNSAFE
}
