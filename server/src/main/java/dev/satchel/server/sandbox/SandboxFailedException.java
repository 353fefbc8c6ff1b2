package dev.satchel.server.sandbox;

import java.io.IOException;

/** No sandbox could be started; the message is for the log, not for the conversation. */
public final class SandboxFailedException extends IOException {
    public SandboxFailedException(String message) {
        super(message);
    }

    public SandboxFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
