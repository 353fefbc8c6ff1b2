package dev.satchel.runner.sandbox;

import java.time.Duration;
import java.util.List;

/**
 * One command line with the time it may take and the output that is kept of it, with its errors in
 * between or apart.
 */
public record Command(
        List<String> arguments, Duration timeout, int maxOutputBytes, boolean errorsApart) {
    public Command {
        arguments = List.copyOf(arguments);
    }

    public static Command shell(String script, Duration timeout, int maxOutputBytes) {
        return new Command(List.of("/bin/sh", "-c", script), timeout, maxOutputBytes, false);
    }

    /** The same with standard error kept apart, and as much of it as of the output. */
    public Command withErrorsApart() {
        return new Command(arguments, timeout, maxOutputBytes, true);
    }
}
