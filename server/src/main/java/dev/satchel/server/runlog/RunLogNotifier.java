package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A bell per run that somebody here reads, rung when another server has written to its log. */
final class RunLogNotifier {
    private final Map<RunId, Bell> bells = new ConcurrentHashMap<>();

    /** Whoever takes one gives it back. */
    Bell take(RunId run) {
        return bells.compute(
                run,
                (_, hung) -> {
                    Bell bell = hung == null ? new Bell() : hung;
                    bell.readers++;
                    return bell;
                });
    }

    void giveBack(RunId run) {
        bells.computeIfPresent(run, (_, bell) -> --bell.readers == 0 ? null : bell);
    }

    void ring(RunId run) {
        Bell bell = bells.get(run);
        if (bell != null) {
            bell.ring();
        }
    }

    /** Counts its rings, so that one between a look at the log and the waiting is not missed. */
    static final class Bell {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition rung = lock.newCondition();
        private int readers; // only touched by the map's computations
        private long rings;

        long rings() {
            lock.lock();
            try {
                return rings;
            } finally {
                lock.unlock();
            }
        }

        /** Waits until it has rung more often than {@code heard}, at most so long. */
        void await(long heard, Duration limit) throws InterruptedException {
            long nanos = limit.toNanos();
            lock.lockInterruptibly();
            try {
                while (rings == heard && nanos > 0) {
                    nanos = rung.awaitNanos(nanos);
                }
            } finally {
                lock.unlock();
            }
        }

        private void ring() {
            lock.lock();
            try {
                rings++;
                rung.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
