package dev.satchel.runner.sandbox;

import java.time.Duration;

/**
 * The result of a command. {@code output} includes standard error unless the command separates it;
 * what exceeds the limit is cut out of the middle.
 */
public record CommandResult(
        int exitCode,
        String output,
        String errors,
        boolean truncated,
        Ending ending,
        Duration duration) {

    public CommandResult withEnding(Ending other) {
        return new CommandResult(exitCode, output, errors, truncated, other, duration);
    }

    public enum Ending {
        EXITED,
        TIMED_OUT,
        OUT_OF_MEMORY,
        /** The workspace grew past its limit, so the run's commands were killed. */
        OUT_OF_DISK
    }
}
