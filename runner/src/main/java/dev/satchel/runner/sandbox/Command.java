package dev.satchel.runner.sandbox;

import java.time.Duration;
import java.util.List;

/**
 * A command line, its time limit, the limit of its output, who hears it meanwhile, and what it can
 * read besides the workspace.
 */
public record Command(
        List<String> arguments,
        Duration timeout,
        int maxOutputBytes,
        boolean separateErrors,
        OutputListener listener,
        List<ReadOnlyMount> mounts) {
    public Command {
        arguments = List.copyOf(arguments);
        mounts = List.copyOf(mounts);
    }

    public Command(
            List<String> arguments, Duration timeout, int maxOutputBytes, boolean separateErrors) {
        this(arguments, timeout, maxOutputBytes, separateErrors, OutputListener.NONE, List.of());
    }

    public static Command shell(String script, Duration timeout, int maxOutputBytes) {
        return new Command(List.of("/bin/sh", "-c", script), timeout, maxOutputBytes, false);
    }

    /** The same command with a separate standard error, which has the same limit. */
    public Command withSeparateErrors() {
        return new Command(arguments, timeout, maxOutputBytes, true, listener, mounts);
    }

    /** The same command with a listener. It hears the whole output, without a limit. */
    public Command heardBy(OutputListener other) {
        return new Command(arguments, timeout, maxOutputBytes, separateErrors, other, mounts);
    }

    /** The same command that can read more. */
    public Command reading(List<ReadOnlyMount> others) {
        return new Command(arguments, timeout, maxOutputBytes, separateErrors, listener, others);
    }

    /** The arguments without a sandbox, where there are no mounts. */
    public List<String> argumentsOnHost() {
        return arguments.stream()
                .map(
                        argument -> {
                            String shown = argument;
                            for (ReadOnlyMount mount : mounts) {
                                shown = mount.onHost(shown);
                            }
                            return shown;
                        })
                .toList();
    }
}
