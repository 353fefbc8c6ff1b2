package dev.satchel.runner.tool;

import java.time.Duration;

/** When to stop searching; asked often, so it is cheap. */
final class Deadline {
    /** The time is over; what was found until here is the answer. */
    static final class Passed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Passed() {
            super("time is over", null, false, false);
        }
    }

    private final long end;

    Deadline(Duration time) {
        end = System.nanoTime() + time.toNanos();
    }

    void check() {
        if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
            throw new Passed();
        }
    }
}
