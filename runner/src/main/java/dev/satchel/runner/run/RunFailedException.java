package dev.satchel.runner.run;

import java.util.Locale;

/** Ends a run with an {@code error} line. Users see the message. */
final class RunFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    enum Code {
        /** The server refused a one-time token. */
        TOKEN_REFUSED,
        /** The server cannot be reached, or its response is invalid. */
        CALLBACK_FAILED,
        /** The journal of the attempts before has something that this runner does not know. */
        JOURNAL_UNREADABLE,
        /** The zip of the conversation's files could not be fetched or unpacked. */
        BAG_FAILED,
        /** The files of a skill could not be fetched. */
        SKILLS_FAILED,
        /** Another run uses the conversation's workspace and does not end. */
        WORKSPACE_BUSY,
        /** No sandbox could be started. */
        SANDBOX_FAILED,
        /** The environment's script failed. */
        SETUP_FAILED,
        /** The run has a result, but its files could not be uploaded. */
        WRITEBACK_FAILED,
        /** An internal error; the log has the details. */
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
