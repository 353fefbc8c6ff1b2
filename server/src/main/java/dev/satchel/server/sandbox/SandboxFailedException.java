package dev.satchel.server.sandbox;

import java.io.IOException;

/** No sandbox could be started. The message is for the log; users do not see it. */
public final class SandboxFailedException extends IOException {
    public SandboxFailedException(String message) {
        super(message);
    }

    public SandboxFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
