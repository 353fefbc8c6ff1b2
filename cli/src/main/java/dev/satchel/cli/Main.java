package dev.satchel.cli;

import dev.satchel.cli.chat.ChatCommand;
import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.credential.CredentialsCommand;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;

/** The entry point: runs the command and maps its result to an exit code. */
@Command(
        name = "satchel",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Agent conversations in the terminal.",
        footer = {"", "docs/CLI.md has examples of every command and the exit codes."})
public final class Main {
    @Mixin private final ServerOptions server = new ServerOptions();

    private Main() {}

    public static void main(String[] arguments) {
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        int code = commandLine().execute(arguments);
        if (code != ExitCode.DONE) {
            System.exit(code);
        }
    }

    static CommandLine commandLine() {
        Main main = new Main();
        ServerOptions server = main.server;
        return new CommandLine(main)
                .addSubcommand(new ChatCommand(server))
                .addSubcommand(new SendCommand(server))
                .addSubcommand(new ChatsCommand(server))
                .addSubcommand(new QueueCommand(server))
                .addSubcommand(new AsksCommand(server))
                .addSubcommand(new AnswerCommand(server))
                .addSubcommand(new FilesCommand(server))
                .addSubcommand(new BagCommand(server))
                .addSubcommand(new AssetsCommand(server))
                .addSubcommand(new SearchCommand(server))
                .addSubcommand(new RunCommand(server))
                .addSubcommand(new TraceCommand(server))
                .addSubcommand(new AgentsCommand(server))
                .addSubcommand(new CredentialsCommand(server))
                .addSubcommand(new SkillsCommand(server))
                .addSubcommand(new ModelsCommand(server))
                .addSubcommand(new PeopleCommand(server))
                .addSubcommand(new KeysCommand(server))
                .addSubcommand(new LoginSessionsCommand(server))
                .addSubcommand(new StorageCommand(server))
                .addSubcommand(new CompletionCommand())
                .addSubcommand(new HelpCommand())
                .setExecutionExceptionHandler((failure, _, _) -> report(failure));
    }

    private static int report(Exception failure) {
        System.err.println("satchel: " + CliException.messageOf(failure));
        return ExitCode.of(failure);
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {version == null ? "development" : version};
        }
    }
}
