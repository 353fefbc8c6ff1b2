package dev.satchel.server.runlog;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest committed lines of one run of this node. Readers that keep up need no query; a slower
 * reader reads the database. A line is here only after it is committed.
 */
final class RunLogTail {
    private static final int KEPT_LINES = 256;
    private static final int KEPT_CHARACTERS = 1024 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<RunLogLine> tail = new ArrayDeque<>();
    private int characters;
    private long committed;
    private boolean closed;

    RunLogTail(long committed) {
        this.committed = committed;
    }

    void publish(List<RunLogLine> lines) {
        lock.lock();
        try {
            if (lines.getFirst().seq() <= committed) {
                return; // a settlement has published these already
            }
            if (lines.getFirst().seq() > committed + 1) {
                tail.clear(); // lines of another process are between: readers use the database
                characters = 0;
            }
            for (RunLogLine line : lines) {
                tail.addLast(line);
                characters += line.body().length();
                while (tail.size() > KEPT_LINES || characters > KEPT_CHARACTERS) {
                    characters -= tail.removeFirst().body().length();
                }
                committed = line.seq();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is published here: ends all waiting. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are lines after {@code after}, at most for the limit. */
    void await(long after, Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long nanos = limit.toNanos();
            while (committed <= after && !closed && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The lines after {@code after}; empty when they are no longer in memory. */
    Optional<List<RunLogLine>> after(long after) {
        lock.lock();
        try {
            if (committed <= after) {
                return Optional.of(List.of());
            }
            if (tail.isEmpty() || tail.getFirst().seq() > after + 1) {
                return Optional.empty();
            }
            return Optional.of(tail.stream().filter(line -> line.seq() > after).toList());
        } finally {
            lock.unlock();
        }
    }
}
