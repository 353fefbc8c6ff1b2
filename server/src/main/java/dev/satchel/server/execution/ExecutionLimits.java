package dev.satchel.server.execution;

import java.time.Duration;

/**
 * The intervals and limits of executions. The runs of a server that dies end with its lease and the
 * next sweep, 30 s + 2 s, so a conversation is free again within 35 s. {@code look} is how often a
 * server polls for requests of others whose signal was lost.
 */
public record ExecutionLimits(
        Duration lease,
        Duration renewal,
        Duration sweep,
        Duration look,
        Duration run,
        Duration idle,
        Duration drain,
        Duration stopping) {

    /** The times that operators do not set. */
    public static ExecutionLimits of(Duration run, Duration idle) {
        return new ExecutionLimits(
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                run,
                idle,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }
}
