package dev.satchel.server.migrate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Several at once, for work that mostly waits for others; the first failure ends it. */
final class ParallelTasks {
    private ParallelTasks() {}

    @FunctionalInterface
    interface Work<T> {
        void run(T item) throws IOException;
    }

    static <T> void each(int atOnce, List<T> items, Work<T> work)
            throws IOException, InterruptedException {
        Queue<T> queue = new ConcurrentLinkedQueue<>(items);
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Math.min(atOnce, items.size()); i++) {
            threads.add(Thread.ofVirtual().start(() -> work(queue, work, failure)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Exception e -> throw new IllegalStateException(e);
        }
    }

    private static <T> void work(
            Queue<T> queue, Work<T> work, AtomicReference<@Nullable Exception> failure) {
        try {
            for (T item = queue.poll(); item != null; item = queue.poll()) {
                work.run(item);
            }
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(null, e);
            queue.clear();
        }
    }
}
