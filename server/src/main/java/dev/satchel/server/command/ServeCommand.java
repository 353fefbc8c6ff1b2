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

/** Starts the server and runs until the process is stopped. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Starts the server. docs/SETTINGS.md lists the variables.")
final class ServeCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    /** Collected, so that they are reported with all other problems. */
    @Unmatched private final List<String> unknown = new ArrayList<>();

    ServeCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        return ServerLifecycle.serve(options.read(variables, unknown));
    }
}
