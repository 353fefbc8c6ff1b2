package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Notifies the readers on this server when another server has written to the log of a run. */
final class RunLogNotifier {
    private final Map<RunId, Notifications> subscribed = new ConcurrentHashMap<>();

    /** The notifications of a run; each call needs one call of {@link #unsubscribe}. */
    Notifications subscribe(RunId run) {
        return subscribed.compute(
                run,
                (_, existing) -> {
                    Notifications of = existing == null ? new Notifications() : existing;
                    of.readers++;
                    return of;
                });
    }

    void unsubscribe(RunId run) {
        subscribed.computeIfPresent(run, (_, of) -> --of.readers == 0 ? null : of);
    }

    void notifyReaders(RunId run) {
        Notifications of = subscribed.get(run);
        if (of != null) {
            of.add();
        }
    }

    /** Counts notifications, so that one between reading the log and waiting is not missed. */
    static final class Notifications {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition added = lock.newCondition();
        private int readers; // only touched by the map's computations
        private long count;

        long count() {
            lock.lock();
            try {
                return count;
            } finally {
                lock.unlock();
            }
        }

        /** Waits until there are more than {@code seen}, at most for the limit. */
        void await(long seen, Duration limit) throws InterruptedException {
            long nanos = limit.toNanos();
            lock.lockInterruptibly();
            try {
                while (count == seen && nanos > 0) {
                    nanos = added.awaitNanos(nanos);
                }
            } finally {
                lock.unlock();
            }
        }

        private void add() {
            lock.lock();
            try {
                count++;
                added.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
