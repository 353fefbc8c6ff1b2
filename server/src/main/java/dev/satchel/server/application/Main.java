package dev.satchel.server.application;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point: finds the command and turns its outcome into an exit code. */
@Command(
        name = "satchel",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "A self-hosted backend for agent conversations that work on files.")
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int code = run(System.getenv(), arguments);
        if (code != 0) {
            System.exit(code);
        }
    }

    static int run(Map<String, String> variables, String... arguments) {
        return new CommandLine(new Main())
                .addSubcommand(new ServeCommand(variables))
                .addSubcommand(new RunnerCommand(variables))
                .addSubcommand(new LoginLinkCommand(variables))
                .addSubcommand(new MigrateCommand(variables))
                .addSubcommand(new DoctorCommand(variables))
                .addSubcommand(new TrainCommand())
                .setExecutionExceptionHandler((failure, _, _) -> Failures.report(failure))
                .execute(arguments);
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {Application.version()};
        }
    }
}
