package dev.satchel.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Those who want to hear of something once, whoever tells it and however often. */
final class OneTimeListeners {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    void add(Runnable listener) {
        waiting.add(listener);
    }

    void tell() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }
}
