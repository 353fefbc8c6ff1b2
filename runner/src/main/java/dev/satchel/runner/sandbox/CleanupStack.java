package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs clean-up steps in reverse order; a failed step does not prevent the others. */
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
                LOG.error("a sandbox was not removed completely run={}", name, e);
            }
        }
    }

    @FunctionalInterface
    public interface Step {
        void run() throws IOException;
    }
}
