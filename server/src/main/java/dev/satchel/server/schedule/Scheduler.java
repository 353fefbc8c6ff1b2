package dev.satchel.server.schedule;

import dev.satchel.server.database.DatabaseOutage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs short periodic tasks, one at a time. A task that fails is tried again. */
public final class Scheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    private final ScheduledExecutorService timer;
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

    public Scheduler(String name) {
        this.timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name(name).daemon().factory());
    }

    public void every(Duration period, Runnable task) {
        tasks.add(task);
        long millis = period.toMillis();
        ScheduledFuture<?> _ =
                timer.scheduleWithFixedDelay(
                        () -> attempt(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Runs a task once as soon as the others allow it; not at all after the end. */
    public void soon(Runnable task) {
        try {
            timer.execute(() -> attempt(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("closed before a task", e);
        }
    }

    /** Runs every task once, on the calling thread. */
    public void runAll() {
        tasks.forEach(Scheduler::attempt);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException
                | Error e) { // the next round may succeed, even after OutOfMemoryError
            boolean isClosing = Thread.currentThread().isInterrupted();
            if (isClosing || DatabaseOutage.of(e).isPresent()) {
                LOG.debug("a periodic task was skipped reason={}", DatabaseOutage.reason(e));
            } else {
                LOG.warn("a periodic task failed, it will be tried again", e);
            }
        }
    }
}
