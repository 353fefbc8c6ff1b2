package dev.satchel.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The script that lets a shell complete our commands. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that completes commands and options.",
            "bash: source <(./satchel completion bash)   zsh: source <(./satchel completion zsh)"
        })
final class CompletionCommand implements Callable<Integer> {
    /** One script serves both: it turns zsh's support for bash completions on by itself. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    @Override
    public Integer call() {
        Objects.requireNonNull(shell);
        System.out.print(AutoComplete.bash("satchel", LauncherCommands.all(Main.commandLine())));
        return ExitCode.DONE;
    }
}
