package dev.satchel.server.command;

import dev.satchel.server.application.Application;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.ConfigurationReader;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point: runs a command and exits with its code. */
@Command(
        name = "satchel",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "A self-hosted backend for agent conversations that work on files.")
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        LogbackConfigurator.install();
        Optional<Map<String, String>> flags = ServerLifecycle.plainFlags(arguments);
        int code =
                flags.isPresent()
                        ? serve(flags.get(), System.getenv())
                        : run(System.getenv(), arguments);
        if (code != 0) {
            System.exit(code);
        }
    }

    private static int serve(Map<String, String> flags, Map<String, String> variables)
            throws Exception {
        try {
            return ServerLifecycle.serve(ConfigurationReader.read(flags, List.of(), variables));
        } catch (ConfigurationException | StartException e) {
            return CommandFailures.report(e);
        }
    }

    static int run(Map<String, String> variables, String... arguments) {
        return new CommandLine(new Main())
                .addSubcommand(new ServeCommand(variables))
                .addSubcommand(new RunnerCommand(variables))
                .addSubcommand(new LoginLinkCommand(variables))
                .addSubcommand(new MigrateCommand(variables))
                .addSubcommand(BackupCommand.line(variables))
                .addSubcommand(new RestoreCommand(variables))
                .addSubcommand(new RotateSecretKeyCommand(variables))
                .addSubcommand(new DoctorCommand(variables))
                .addSubcommand(new TrainCommand())
                .setExecutionExceptionHandler((failure, _, _) -> CommandFailures.report(failure))
                .execute(arguments);
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {Application.version()};
        }
    }

    /** Prints why a command failed, one problem per line, and returns its exit code. */
    static final class CommandFailures {
        static final int FAILED = 1;
        static final int INVALID_USAGE = 2;

        private CommandFailures() {}

        static int report(Exception failure) throws Exception {
            PrintStream err = System.err;
            if (failure instanceof ConfigurationException invalid) {
                invalid.problems().forEach(problem -> err.println("satchel: " + problem));
                return INVALID_USAGE;
            }
            if (failure instanceof StartException refused) {
                err.println("satchel: " + refused.getMessage());
                return FAILED;
            }
            throw failure;
        }
    }
}
