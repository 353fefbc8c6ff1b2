package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be undone, last thing first; one failure does not keep the rest from happening. */
final class Cleanup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

    private final String name;
    private final Deque<Step> steps = new ArrayDeque<>();

    Cleanup(String name) {
        this.name = name;
    }

    synchronized void add(Step step) {
        steps.push(step);
    }

    @Override
    public synchronized void close() {
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (IOException | RuntimeException e) {
                LOG.error("something of a sandbox stays behind run={}", name, e);
            }
        }
    }

    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }
}
