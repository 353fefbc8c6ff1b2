package dev.satchel.bench.search;

import dev.satchel.server.conversation.ConversationId;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Writes pairs of messages beside a measurement, as many a second as wanted and possible. */
final class WriteLoad {
    private static final long NANOS_PER_PAIR = 1_000_000_000L / 50;
    private static final double NANOS_PER_MILLISECOND = 1_000_000;

    private final MessageRows rows;
    private final AtomicLong pairs = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    WriteLoad(MessageRows rows) {
        this.rows = rows;
    }

    /** What is measured meanwhile. */
    interface Measured {
        double measure() throws Exception;
    }

    /**
     * Measures while messages are written.
     *
     * @throws IllegalStateException when a write has failed, since the rest had no load
     */
    double during(Measured measured) throws Exception {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread writer =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, thrown) -> failure.set(thrown))
                        .start(this::write);
        double value;
        try {
            value = measured.measure();
        } finally {
            writer.interrupt();
            writer.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the load was not written", failure.get());
        }
        return value;
    }

    private void write() {
        ConversationId chat = rows.newChat();
        long start = System.nanoTime();
        long next = start;
        do {
            rows.pair(chat);
            pairs.incrementAndGet();
            next += NANOS_PER_PAIR;
            LockSupport.parkNanos(next - System.nanoTime());
        } while (!Thread.currentThread().isInterrupted());
        nanos.addAndGet(System.nanoTime() - start);
    }

    /** The time for each pair of all measurements, in milliseconds. */
    double millisPerPair() {
        return nanos.get() / NANOS_PER_MILLISECOND / Math.max(1, pairs.get());
    }
}
