package dev.satchel.server.sandbox;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A runner's address and what opens it. Closing it ends the sandbox, if it was this run's alone.
 *
 * @param hasOwnDisk whether workspaces in it are lost when it ends, and are not those that we see
 */
public record RunningSandbox(URI url, @Nullable String secret, boolean hasOwnDisk, Runnable closing)
        implements AutoCloseable {
    @Override
    public void close() {
        closing.run();
    }

    @Override
    public String toString() { // without the secret
        return "RunningSandbox[" + url + "]";
    }
}
