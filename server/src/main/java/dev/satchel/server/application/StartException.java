package dev.satchel.server.application;

/** The server cannot start; the message is the one line that an operator gets to read. */
public final class StartException extends Exception {
    public StartException(String message, Throwable cause) {
        super(message, cause);
    }

    public StartException(String message) {
        super(message);
    }
}
