package dev.satchel.tools;

/** An argument that a tool cannot use. The message names the field and is for the agent. */
public final class InvalidArgumentException extends Exception {
    private static final long serialVersionUID = 1L;

    public InvalidArgumentException(String message) {
        super(message);
    }
}
