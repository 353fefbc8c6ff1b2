package dev.satchel.runner.run;

import java.util.Locale;

/** Ends a run; becomes its {@code error} line. The message is shown to people. */
final class RunFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What can go wrong around the agent. */
    enum Code {
        /** Satchel refused one of the one-time tokens. */
        TOKEN_REFUSED,
        /** Satchel could not be reached, or answered something else than agreed. */
        CALLBACK_FAILED,
        /** The zip of the conversation's files could not be fetched or unpacked. */
        BAG_FAILED,
        /** Another run works in this conversation's workspace and does not end. */
        WORKSPACE_BUSY,
        /** No sandbox could be started. */
        SANDBOX_FAILED,
        /** The environment's script failed. */
        SETUP_FAILED,
        /** The answer is there, but Satchel did not take the files that belong to it. */
        WRITEBACK_FAILED,
        /** A fault of the runner; its log says more. */
        INTERNAL;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Code code;

    RunFailedException(Code code, String message) {
        super(message);
        this.code = code;
    }

    Code code() {
        return code;
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
