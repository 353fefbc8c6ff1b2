package dev.satchel.server.execution;

import java.time.Duration;

/**
 * The clockwork of runs. A server that dies is noticed when its lease ends and a sweep comes by: 30
 * s + 2 s, so a conversation is free again within 35 s.
 */
public record ExecutionLimits(
        Duration lease,
        Duration renewal,
        Duration sweep,
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
                run,
                idle,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }
}
