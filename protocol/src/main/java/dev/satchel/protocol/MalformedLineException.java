package dev.satchel.protocol;

import java.io.IOException;

/** A line that is not one of the protocol's; the message says what is wrong with it. */
public class MalformedLineException extends IOException {
    public MalformedLineException(String message) {
        super(message);
    }
}
