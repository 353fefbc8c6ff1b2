package dev.satchel.server.schedule;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock to measure with: it starts at the system's time and then only goes on, whatever becomes
 * of that. How long a run has been silent must not hang on who sets the time.
 */
public final class MonotonicClock extends Clock {
    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("always UTC");
    }
}
