package dev.satchel.http;

import java.time.Duration;

/**
 * How long a client may stand still: within an upload, before its first request is whole, and
 * between two requests.
 */
record ConnectionTimeouts(Duration upload, Duration head, Duration idle) {
    static final ConnectionTimeouts USUAL =
            new ConnectionTimeouts(
                    Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofMinutes(5));
}
