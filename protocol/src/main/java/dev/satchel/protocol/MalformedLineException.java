package dev.satchel.protocol;

import java.io.IOException;

/** A line that does not follow the protocol; the message has the reason. */
public class MalformedLineException extends IOException {
    public MalformedLineException(String message) {
        super(message);
    }
}
