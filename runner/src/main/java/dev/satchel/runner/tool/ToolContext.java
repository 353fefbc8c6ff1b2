package dev.satchel.runner.tool;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.tools.grep.CommandRunner;
import dev.satchel.tools.grep.RipgrepTool;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What a tool may use: the files of the workspace, the sandbox, and the assets of the tenant. */
public record ToolContext(SafeDirectory workspace, Sandbox sandbox, AssetClient assets) {
    RipgrepTool.Context ripgrep() {
        return new RipgrepTool.Context(workspace, this::run);
    }

    private CommandRunner.Output run(List<String> command, Duration timeLimit, int maxOutputBytes)
            throws IOException, InterruptedException {
        CommandResult result = sandbox.run(new Command(command, timeLimit, maxOutputBytes, true));
        return new CommandRunner.Output(result.output(), result.errors());
    }
}
