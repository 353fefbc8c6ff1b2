package dev.satchel.client;

/** Hears of bytes as they move, from the thread that moves them. */
@FunctionalInterface
public interface TransferProgressListener {
    TransferProgressListener NONE = (_, _) -> {};

    /** {@code total} is negative while nobody knows it. */
    void moved(long bytes, long total);
}
