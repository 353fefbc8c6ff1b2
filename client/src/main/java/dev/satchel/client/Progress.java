package dev.satchel.client;

/** Hears of bytes as they move, from the thread that moves them. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (_, _) -> {};

    /** {@code total} is negative while nobody knows it. */
    void moved(long bytes, long total);
}
