package dev.satchel.http.connection;

import java.time.Duration;

/**
 * How long a server waits for its clients.
 *
 * @param body how long a client may be slower with a request body than {@code bytesPerSecond}
 * @param bytesPerSecond how fast a request body arrives at least
 * @param head how long a request head may take to arrive
 * @param idle how long a connection may be without a request after its first
 */
public record ConnectionTimeouts(Duration body, int bytesPerSecond, Duration head, Duration idle) {
    public static final ConnectionTimeouts DEFAULT =
            new ConnectionTimeouts(
                    Duration.ofSeconds(30), 1024, Duration.ofSeconds(10), Duration.ofMinutes(5));

    public ConnectionTimeouts withBody(Duration other, int rate) {
        return new ConnectionTimeouts(other, rate, head, idle);
    }

    public ConnectionTimeouts withHead(Duration other) {
        return new ConnectionTimeouts(body, bytesPerSecond, other, idle);
    }

    public ConnectionTimeouts withIdle(Duration other) {
        return new ConnectionTimeouts(body, bytesPerSecond, head, other);
    }
}
