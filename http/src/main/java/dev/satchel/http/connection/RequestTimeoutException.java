package dev.satchel.http.connection;

import java.io.IOException;

/**
 * The body of a request arrives too slowly. It is an {@link IOException}, so that a resumable
 * upload keeps what has arrived; the client is answered with 408.
 */
public final class RequestTimeoutException extends IOException {
    public RequestTimeoutException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
