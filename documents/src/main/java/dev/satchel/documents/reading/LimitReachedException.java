package dev.satchel.documents.reading;

import java.io.IOException;

/**
 * A limit of the request is reached: what was written stays, and the message says what is missing.
 */
public final class LimitReachedException extends IOException {
    private static final long serialVersionUID = 1;

    public LimitReachedException(String message) {
        super(message);
    }
}
