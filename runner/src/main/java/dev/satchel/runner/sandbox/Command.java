package dev.satchel.runner.sandbox;

import java.time.Duration;
import java.util.List;

/** A command line, its time limit, the limit of its output, and who hears it meanwhile. */
public record Command(
        List<String> arguments,
        Duration timeout,
        int maxOutputBytes,
        boolean separateErrors,
        OutputListener listener) {
    public Command {
        arguments = List.copyOf(arguments);
    }

    public Command(
            List<String> arguments, Duration timeout, int maxOutputBytes, boolean separateErrors) {
        this(arguments, timeout, maxOutputBytes, separateErrors, OutputListener.NONE);
    }

    public static Command shell(String script, Duration timeout, int maxOutputBytes) {
        return new Command(List.of("/bin/sh", "-c", script), timeout, maxOutputBytes, false);
    }

    /** The same command with a separate standard error, which has the same limit. */
    public Command withSeparateErrors() {
        return new Command(arguments, timeout, maxOutputBytes, true, listener);
    }

    /** The same command with a listener. It hears the whole output, without a limit. */
    public Command heardBy(OutputListener other) {
        return new Command(arguments, timeout, maxOutputBytes, separateErrors, other);
    }
}
