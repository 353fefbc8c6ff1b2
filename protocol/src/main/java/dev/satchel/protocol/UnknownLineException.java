package dev.satchel.protocol;

/** A line of a later version: its type or its status is unknown. It is logged and ignored. */
public final class UnknownLineException extends MalformedLineException {
    public UnknownLineException(String message) {
        super(message);
    }
}
