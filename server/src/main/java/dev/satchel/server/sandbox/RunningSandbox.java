package dev.satchel.server.sandbox;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The address and secret of a runner. Closing it ends a sandbox that was started for one run.
 *
 * @param hasOwnDisk whether the workspace is on a disk that this server does not see and that ends
 *     with the sandbox
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
