package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Mutual exclusion of this server's threads, for each conversation. */
final class ConversationMutex {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Set<ConversationId> acquired = new HashSet<>();

    /** Empty if the conversation is still taken after the timeout. Closing releases it. */
    Optional<WorkspaceLock.Handle> acquire(ConversationId id, Duration timeout)
            throws InterruptedException {
        long nanos = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (!acquired.add(id)) {
                if (nanos <= 0) {
                    return Optional.empty();
                }
                nanos = released.awaitNanos(nanos);
            }
            return Optional.of(() -> release(id));
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no conversation is taken; false if one still is after the timeout. */
    boolean awaitUnused(Duration timeout) throws InterruptedException {
        long nanos = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (!acquired.isEmpty()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = released.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void release(ConversationId id) {
        lock.lock();
        try {
            acquired.remove(id);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
