package dev.satchel.runner;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.runner.run.Cancellation;
import dev.satchel.runner.run.SandboxRunId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The active runs: each id once, and not more than the limit. */
final class ActiveRuns {
    private static final Map<String, String> SOON = Map.of("Retry-After", "1");

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Map<SandboxRunId, Active> active = new HashMap<>();
    private boolean closed;

    ActiveRuns(int limit) {
        this.limit = limit;
    }

    private record Active(String attempt, Cancellation cancellation) {}

    /** One of the allowed runs; closing it makes room for another. */
    record Reservation(Cancellation cancellation, Runnable release) implements AutoCloseable {
        @Override
        public void close() {
            release.run();
        }
    }

    /**
     * @param attempt tells the attempts of a run apart: an attempt that is still active is
     *     cancelled for the next one, because its server has lost the run
     */
    Reservation reserve(SandboxRunId id, String attempt) {
        lock.lock();
        try {
            if (closed) {
                throw new SatchelException(ErrorCode.UNAVAILABLE, "the runner is stopping")
                        .withHeaders(SOON);
            }
            Active other = active.get(id);
            if (other != null && other.attempt().equals(attempt)) {
                throw new SatchelException(
                        ErrorCode.CONFLICT, "the run " + id.value() + " is active already");
            }
            if (other != null) {
                other.cancellation().cancel();
                throw new SatchelException(
                                ErrorCode.UNAVAILABLE, "an attempt before is still active")
                        .withHeaders(SOON);
            }
            if (active.size() >= limit) {
                throw new SatchelException(
                                ErrorCode.UNAVAILABLE, "the limit of " + limit + " runs is reached")
                        .withHeaders(SOON);
            }
            Cancellation cancellation = new Cancellation();
            active.put(id, new Active(attempt, cancellation));
            return new Reservation(cancellation, () -> release(id));
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return active.size();
        } finally {
            lock.unlock();
        }
    }

    /** Cancels every run, refuses new ones and waits; returns false if some runs have not ended. */
    boolean close(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            closed = true;
            active.values().forEach(run -> run.cancellation().cancel());
            while (!active.isEmpty() && left > 0) {
                left = ended.awaitNanos(left);
            }
            return active.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void release(SandboxRunId id) {
        lock.lock();
        try {
            active.remove(id);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
