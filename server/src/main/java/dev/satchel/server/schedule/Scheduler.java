package dev.satchel.server.schedule;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs short tasks again and again, one at a time. One failing round is never the last one. */
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

    /** Everything once, now, for whoever cannot wait. */
    public void runAll() {
        tasks.forEach(Scheduler::attempt);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) { // even without memory the next round may have some
            LOG.warn("a periodic task failed, it will be tried again", e);
        }
    }
}
