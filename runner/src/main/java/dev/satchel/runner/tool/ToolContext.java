package dev.satchel.runner.tool;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.OutputListener;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.tools.grep.CommandRunner;
import dev.satchel.tools.grep.RipgrepTool;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * What a tool may use: the files of the workspace, the sandbox, the assets of the tenant, and the
 * listener that hears what a command prints while the tool runs.
 */
public record ToolContext(
        SafeDirectory workspace, Sandbox sandbox, AssetClient assets, OutputListener output) {
    public ToolContext(SafeDirectory workspace, Sandbox sandbox, AssetClient assets) {
        this(workspace, sandbox, assets, OutputListener.NONE);
    }

    /** The same for one call whose output is heard. */
    public ToolContext heardBy(OutputListener listener) {
        return new ToolContext(workspace, sandbox, assets, listener);
    }

    RipgrepTool.Context ripgrep() {
        return new RipgrepTool.Context(workspace, this::run);
    }

    private CommandRunner.Output run(List<String> command, Duration timeLimit, int maxOutputBytes)
            throws IOException, InterruptedException {
        CommandResult result = sandbox.run(new Command(command, timeLimit, maxOutputBytes, true));
        return new CommandRunner.Output(result.output(), result.errors());
    }
}
