package dev.satchel.runner.sandbox;

import java.time.Duration;

/**
 * How a command ended: standard output and error interleaved, or apart where that was asked for,
 * cut in the middle when too long.
 */
public record CommandResult(
        int exitCode,
        String output,
        String errors,
        boolean truncated,
        Ending ending,
        Duration duration) {

    public CommandResult endedBy(Ending other) {
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
