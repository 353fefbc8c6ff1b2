package dev.satchel.client;

/** Receives the progress of a transfer on the thread that transfers. */
@FunctionalInterface
public interface TransferProgressListener {
    TransferProgressListener NONE = (done, total) -> {};

    /** {@code total} is negative while it is unknown. */
    void moved(long bytes, long total);
}
