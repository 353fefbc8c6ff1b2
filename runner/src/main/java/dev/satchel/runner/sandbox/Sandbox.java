package dev.satchel.runner.sandbox;

import java.io.IOException;

/** The hands of one run. Closing it kills every process of the run and leaves nothing behind. */
public interface Sandbox extends AutoCloseable {
    /** Where a command sees the workspace. */
    String WORKSPACE = "/root/workspace";

    /**
     * Runs one command in the workspace and waits for it. When it ends, everything it started ends
     * with it. An interrupt kills it.
     */
    CommandResult run(Command command) throws IOException, InterruptedException;

    @Override
    void close();
}
