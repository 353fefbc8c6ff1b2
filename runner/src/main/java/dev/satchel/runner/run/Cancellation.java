package dev.satchel.runner.run;

import org.jspecify.annotations.Nullable;

/**
 * Ends a run from outside. It interrupts the run's work, never its tidying up: what a phase has
 * opened is closed in peace.
 */
public final class Cancellation {
    private @Nullable Thread working;
    private boolean cancelled;

    public synchronized void cancel() {
        if (!cancelled) {
            cancelled = true;
            if (working != null) {
                working.interrupt();
            }
        }
    }

    public synchronized boolean cancelled() {
        return cancelled;
    }

    synchronized void enter() throws InterruptedException {
        if (cancelled) {
            throw new InterruptedException("the run was cancelled");
        }
        working = Thread.currentThread();
    }

    /** After this no interrupt of ours comes, nor is one pending. */
    synchronized void leave() {
        working = null;
        if (cancelled) {
            Thread.interrupted();
        }
    }
}
