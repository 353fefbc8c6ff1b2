package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be undone, last thing first; one failure does not keep the rest from happening. */
public final class CleanupStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CleanupStack.class);

    private final String name;
    private final Deque<Step> steps = new ArrayDeque<>();

    public CleanupStack(String name) {
        this.name = name;
    }

    public synchronized void add(Step step) {
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
    public interface Step {
        void run() throws IOException;
    }
}
