package dev.satchel.server.sandbox;

import dev.satchel.server.conversation.RunId;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/** Provides the runner of each run: one that all runs share, or one for every run. */
public interface SandboxProvider extends AutoCloseable {
    /**
     * Returns a sandbox whose runner answers; the caller closes it. An interrupt ends the wait and
     * removes what was started.
     *
     * @throws SandboxFailedException when no sandbox can be started
     */
    RunningSandbox launch(SandboxRequest request) throws IOException, InterruptedException;

    /**
     * Removes the sandboxes of this installation whose runs have ended: their servers failed before
     * they could remove them.
     */
    void reap(Predicate<RunId> alive) throws IOException, InterruptedException;

    /**
     * Why this server cannot launch any sandbox, and what the operator has to change; empty when it
     * can. The reason stays the same until the server is restarted.
     */
    default Optional<String> unavailable() {
        return Optional.empty();
    }

    /** Returns when sandboxes can be launched, throws when they cannot. */
    void probe() throws IOException, InterruptedException;

    /** Closes the connection to the engine; sandboxes that still run are removed later. */
    @Override
    void close();
}
