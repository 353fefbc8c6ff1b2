package dev.satchel.server.command;

import dev.satchel.runner.RunnerMain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Starts a runner without a server. The runner reads the flags itself. */
@Command(
        name = "runner",
        description =
                "Starts a runner alone: --host, --port (8090), --data. docs/SETTINGS.md lists the variables.")
final class RunnerCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Unmatched private final List<String> arguments = new ArrayList<>();

    RunnerCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() {
        return RunnerMain.run(arguments, variables, System.err);
    }
}
