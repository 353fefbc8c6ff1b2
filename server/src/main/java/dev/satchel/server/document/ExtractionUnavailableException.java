package dev.satchel.server.document;

import java.io.IOException;

/** Documents cannot be read now. The message says why, for a person. */
public final class ExtractionUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public ExtractionUnavailableException(String message) {
        super(message);
    }
}
