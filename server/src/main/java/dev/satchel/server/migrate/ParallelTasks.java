package dev.satchel.server.migrate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs a task for each item on several threads; the first failure stops all. */
public final class ParallelTasks {
    private ParallelTasks() {}

    @FunctionalInterface
    public interface Task<T> {
        void run(T item) throws IOException;
    }

    public static <T> void forEach(int threads, List<T> items, Task<T> task)
            throws IOException, InterruptedException {
        Queue<T> queue = new ConcurrentLinkedQueue<>(items);
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, items.size()); i++) {
            workers.add(Thread.ofVirtual().start(() -> runAll(queue, task, failure)));
        }
        for (Thread thread : workers) {
            thread.join();
        }
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Exception e -> throw new IllegalStateException(e);
        }
    }

    private static <T> void runAll(
            Queue<T> queue, Task<T> task, AtomicReference<@Nullable Exception> failure) {
        try {
            for (T item = queue.poll(); item != null; item = queue.poll()) {
                task.run(item);
            }
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(null, e);
            queue.clear();
        }
    }
}
