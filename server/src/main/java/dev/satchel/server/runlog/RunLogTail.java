package dev.satchel.server.runlog;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest committed lines of one run of this node, and a bell. Readers that keep up are served
 * from here without a query; one that fell behind reads the log. Nothing in it is ever ahead of the
 * database.
 */
final class RunLogTail {
    private static final int KEPT_LINES = 256;
    private static final int KEPT_CHARACTERS = 1024 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
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
                return; // a settlement was quicker: these are in the log, and told from there
            }
            if (lines.getFirst().seq() > committed + 1) {
                tail.clear(); // somebody else's lines come between: let readers ask the log
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
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more will be published here: nobody shall wait for it. */
    void close() {
        lock.lock();
        try {
            closed = true;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is something after {@code after}, at most so long. */
    void await(long after, Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long nanos = limit.toNanos();
            while (committed <= after && !closed && nanos > 0) {
                nanos = rung.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What follows {@code after}; empty when that is no longer kept and the log must be asked. */
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
