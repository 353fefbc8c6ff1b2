package dev.satchel.client;

import java.io.IOException;
import java.time.Duration;

/** How often, and after how long, a lost connection is made again. */
final class Backoff {
    private static final int MOST_FAILURES = 10;
    private static final long LONGEST_MILLIS = 5_000;

    private final long firstMillis;
    private int failures;

    Backoff(Duration first) {
        this.firstMillis = first.toMillis();
    }

    /** Something came through: what failed before does not count any more. */
    void succeeded() {
        failures = 0;
    }

    /** Waits before the next try, or gives up with the failure. */
    void failed(IOException failure) throws IOException, InterruptedException {
        failures++;
        if (failures > MOST_FAILURES) {
            throw failure;
        }
        Thread.sleep(Math.min(LONGEST_MILLIS, firstMillis << (failures - 1)));
    }
}
