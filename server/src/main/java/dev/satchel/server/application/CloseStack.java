package dev.satchel.server.application;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what was opened in reverse order; one that fails to close does not keep the others open.
 */
public final class CloseStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CloseStack.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    public synchronized <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) { // closing goes on, whatever one of them says
                LOG.warn("could not be closed cleanly", e);
            }
        }
    }
}
