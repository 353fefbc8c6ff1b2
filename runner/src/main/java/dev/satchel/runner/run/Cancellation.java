package dev.satchel.runner.run;

import org.jspecify.annotations.Nullable;

/** Cancels a run from another thread. It interrupts the phases of the run, not its clean-up. */
public final class Cancellation {
    private @Nullable Thread worker;
    private boolean cancelled;

    public synchronized void cancel() {
        if (!cancelled) {
            cancelled = true;
            if (worker != null) {
                worker.interrupt();
            }
        }
    }

    public synchronized boolean cancelled() {
        return cancelled;
    }

    synchronized void beginPhase() throws InterruptedException {
        if (cancelled) {
            throw new InterruptedException("the run was cancelled");
        }
        worker = Thread.currentThread();
    }

    /** Afterwards no interrupt of a cancellation comes, and none is pending. */
    synchronized void endPhase() {
        worker = null;
        if (cancelled) {
            Thread.interrupted();
        }
    }
}
