package dev.satchel.server.sandbox;

import dev.satchel.server.conversation.RunId;
import java.io.IOException;
import java.util.function.Predicate;

/** Gives every run a runner to be dispatched to: one that all share, or one of its own. */
public interface SandboxProvider extends AutoCloseable {
    /**
     * A sandbox that answers; whoever launches it closes it. An interrupt ends the wait and leaves
     * nothing behind.
     *
     * @throws SandboxFailedException when there is none to be had
     */
    RunningSandbox launch(SandboxRequest order) throws IOException, InterruptedException;

    /**
     * Removes every sandbox, of whichever server of this installation, whose run is not alive: its
     * owner died before it could. Where sandboxes are shared there is nothing to remove.
     */
    void reap(Predicate<RunId> alive) throws IOException, InterruptedException;

    /** Returns when sandboxes can be launched, throws when they cannot. */
    void probe() throws IOException, InterruptedException;

    /** Lets go of the engine; sandboxes still running are reaped by whoever comes next. */
    @Override
    void close();
}
