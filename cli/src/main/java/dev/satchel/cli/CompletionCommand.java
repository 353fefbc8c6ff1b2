package dev.satchel.cli;

import dev.satchel.cli.common.ExitCode;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the completion script for a shell. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that completes commands and options.",
            "bash: source <(./satchel completion bash)   zsh: source <(./satchel completion zsh)"
        })
final class CompletionCommand implements Callable<Integer> {
    /** The same script works in both: it enables the support of zsh for bash completions. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    @Override
    public Integer call() {
        Objects.requireNonNull(shell);
        System.out.print(AutoComplete.bash("satchel", LauncherCommands.addTo(Main.commandLine())));
        return ExitCode.DONE;
    }
}
