package dev.satchel.runner.tool;

/** An argument a tool cannot work with; the message names the field and goes to the agent. */
final class BadArgumentException extends Exception {
    private static final long serialVersionUID = 1L;

    BadArgumentException(String message) {
        super(message);
    }
}
