package dev.satchel.runner.tool;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;

/** What a tool may touch: the workspace's files, the sandbox's shell, and assets to be staged. */
public record ToolContext(SafeDirectory workspace, Sandbox sandbox, AssetStaging staging) {
    /** For tools that only read: they need no hands. */
    public static ToolContext reading(SafeDirectory workspace) {
        return new ToolContext(workspace, new NoSandbox(), ToolContext::noStaging);
    }

    private static String noStaging(String assetId) {
        throw new IllegalStateException("a reading tool wants to stage " + assetId);
    }

    private static final class NoSandbox implements Sandbox {
        @Override
        public CommandResult run(Command command) {
            throw new IllegalStateException("a reading tool wants to run a command");
        }

        @Override
        public void close() {
            // there is nothing
        }
    }
}
