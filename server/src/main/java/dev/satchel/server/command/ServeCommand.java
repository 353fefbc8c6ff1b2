package dev.satchel.server.command;

import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Starts the server and stays until the process is told to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Starts the whole system. docs/SETTINGS.md lists the variables.")
final class ServeCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    /** Kept instead of refused, so that they are reported beside every other problem. */
    @Unmatched private final List<String> unknown = new ArrayList<>();

    ServeCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        return ServerLifecycle.serve(options.read(variables, unknown));
    }
}
