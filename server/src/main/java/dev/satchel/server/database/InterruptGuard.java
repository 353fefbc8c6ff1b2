package dev.satchel.server.database;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of one task, but not while it uses the database: an interrupt during a
 * statement closes the connection on a virtual thread. Such an interrupt waits for the end of the
 * transaction. Thread-safe.
 */
public final class InterruptGuard {
    private static final ScopedValue<InterruptGuard> CURRENT = ScopedValue.newInstance();

    private @Nullable Thread thread; // guarded by this, like the two below
    private int transactions;
    private boolean pending;

    /** Runs a task that {@link #interrupt} can interrupt until {@link #disarm} is called. */
    public void run(Runnable task) {
        synchronized (this) {
            thread = Thread.currentThread();
        }
        try {
            ScopedValue.where(CURRENT, this).run(task);
        } finally {
            disarm();
        }
    }

    /** Does nothing when the task is not running or can no longer be interrupted. */
    public synchronized void interrupt() {
        if (thread == null) {
            return;
        }
        if (transactions > 0) {
            pending = true;
        } else {
            thread.interrupt();
        }
    }

    /**
     * To be called by the task: nothing interrupts it from now on. True when an interrupt had come
     * that the task has not noticed.
     */
    public synchronized boolean disarm() {
        boolean unnoticed = Thread.interrupted() || pending;
        thread = null;
        pending = false;
        return unnoticed;
    }

    /** Executes a transaction without interrupts, if the thread has a guard. */
    static <T> T protect(Supplier<T> transaction) {
        if (!CURRENT.isBound()) {
            return transaction.get();
        }
        InterruptGuard guard = CURRENT.get();
        guard.enter();
        try {
            return transaction.get();
        } finally {
            guard.exit();
        }
    }

    private synchronized void enter() {
        transactions++;
        pending |= Thread.interrupted();
    }

    private synchronized void exit() {
        transactions--;
        if (transactions == 0 && pending) {
            pending = false;
            Thread.currentThread().interrupt();
        }
    }
}
