package dev.satchel.runner.sandbox;

import java.time.Duration;
import java.util.List;

/** A command line, its time limit and the limit of its output. */
public record Command(
        List<String> arguments, Duration timeout, int maxOutputBytes, boolean separateErrors) {
    public Command {
        arguments = List.copyOf(arguments);
    }

    public static Command shell(String script, Duration timeout, int maxOutputBytes) {
        return new Command(List.of("/bin/sh", "-c", script), timeout, maxOutputBytes, false);
    }

    /** The same command with a separate standard error, which has the same limit. */
    public Command withSeparateErrors() {
        return new Command(arguments, timeout, maxOutputBytes, true);
    }
}
