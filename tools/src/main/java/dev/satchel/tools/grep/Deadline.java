package dev.satchel.tools.grep;

import java.time.Duration;

/** The time at which a search stops; checking it is cheap. */
final class Deadline {
    /** The time is over or the thread was interrupted. The results so far are the answer. */
    static final class ExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExceededException() {
            super("the time limit was exceeded", null, false, false);
        }
    }

    private final long end;

    Deadline(Duration time) {
        end = System.nanoTime() + time.toNanos();
    }

    void check() {
        if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
            throw new ExceededException();
        }
    }
}
