package dev.satchel.runner.model.stream;

import java.io.IOException;

/** A stream ended too early or is not in its format. The message is for the user. */
public final class BrokenStreamException extends IOException {
    private static final long serialVersionUID = 1L;

    public BrokenStreamException(String message) {
        super(message);
    }

    public String message() {
        return String.valueOf(getMessage());
    }
}
