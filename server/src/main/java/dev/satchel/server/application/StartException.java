package dev.satchel.server.application;

/** The server cannot start. The operator sees the message. */
public final class StartException extends Exception {
    public StartException(String message, Throwable cause) {
        super(message, cause);
    }

    public StartException(String message) {
        super(message);
    }
}
