package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets one at a time keep, restore or remove a conversation's workspace. */
final class ConversationMutex {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private final Set<ConversationId> inside = new HashSet<>();

    /** Held by whoever is inside; closing it lets the next one in. */
    interface Pass extends AutoCloseable {
        @Override
        void close();
    }

    /** Empty when somebody else is still inside after so long. */
    Optional<Pass> enter(ConversationId id, Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (!inside.add(id)) {
                if (nanos <= 0) {
                    return Optional.empty();
                }
                nanos = left.awaitNanos(nanos);
            }
            return Optional.of(() -> leave(id));
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nobody is inside; false when somebody still is after so long. */
    boolean awaitEmpty(Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (!inside.isEmpty()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = left.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave(ConversationId id) {
        lock.lock();
        try {
            inside.remove(id);
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
