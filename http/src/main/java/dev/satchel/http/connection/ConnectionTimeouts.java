package dev.satchel.http.connection;

import java.time.Duration;

/**
 * How long a client may send nothing: within a request body, before its first request is complete,
 * and between two requests.
 */
public record ConnectionTimeouts(Duration body, Duration head, Duration idle) {
    public static final ConnectionTimeouts DEFAULT =
            new ConnectionTimeouts(
                    Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofMinutes(5));
}
