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

/** The runs at work: each once, and not too many. */
final class ActiveRuns {
    private static final Map<String, String> SOON = Map.of("Retry-After", "1");

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Map<SandboxRunId, Cancellation> active = new HashMap<>();
    private boolean closed;

    ActiveRuns(int limit) {
        this.limit = limit;
    }

    /** A place among the runs, which its holder gives back by closing it. */
    record Place(Cancellation cancellation, Runnable leaving) implements AutoCloseable {
        @Override
        public void close() {
            leaving.run();
        }
    }

    Place enter(SandboxRunId id) {
        lock.lock();
        try {
            if (closed) {
                throw new SatchelException(ErrorCode.UNAVAILABLE, "the runner is stopping")
                        .withHeaders(SOON);
            }
            if (active.containsKey(id)) {
                throw new SatchelException(
                        ErrorCode.CONFLICT, "the run " + id.value() + " is at work already");
            }
            if (active.size() >= limit) {
                throw new SatchelException(
                                ErrorCode.UNAVAILABLE, "all " + limit + " places are taken")
                        .withHeaders(SOON);
            }
            Cancellation cancellation = new Cancellation();
            active.put(id, cancellation);
            return new Place(cancellation, () -> leave(id));
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

    /**
     * Cancels every run, takes no more, and waits until all have unwound; false if some have not.
     */
    boolean close(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            closed = true;
            active.values().forEach(Cancellation::cancel);
            while (!active.isEmpty() && left > 0) {
                left = ended.awaitNanos(left);
            }
            return active.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void leave(SandboxRunId id) {
        lock.lock();
        try {
            active.remove(id);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
