package dev.satchel.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The commands of {@code ./satchel} that are not part of this program, for completion. */
final class LauncherCommands {
    /** In addition to the options of every command. */
    private static final List<String> SERVER_FLAGS = List.of("--host");

    private static final Map<String, List<String>> COMMANDS =
            Map.ofEntries(
                    Map.entry("serve", SERVER_FLAGS),
                    Map.entry("runner", SERVER_FLAGS),
                    Map.entry("login-link", SERVER_FLAGS),
                    Map.entry("migrate", List.of()),
                    Map.entry("backup", List.of("--full", "--keep")),
                    Map.entry("restore", List.of("--state")),
                    Map.entry("rotate-secret-key", List.of()),
                    Map.entry("doctor", List.of()),
                    Map.entry("sandbox-root", List.of("--packages")),
                    Map.entry("test", List.of()),
                    Map.entry("fuzz", List.of()),
                    Map.entry("torture", List.of("--minutes", "--only", "--seed")),
                    Map.entry("bench", List.of("--quick", "--only", "--document")),
                    Map.entry("build", List.of()),
                    Map.entry("image", List.of()),
                    Map.entry("release", List.of("--homepage")),
                    Map.entry("version", List.of()));

    private LauncherCommands() {}

    static CommandLine addTo(CommandLine commands) {
        COMMANDS.forEach(
                (name, flags) -> {
                    CommandSpec spec = CommandSpec.create().name(name);
                    flags.forEach(
                            flag ->
                                    spec.addOption(
                                            OptionSpec.builder(flag).type(String.class).build()));
                    commands.addSubcommand(name, new CommandLine(spec));
                });
        return commands;
    }
}
