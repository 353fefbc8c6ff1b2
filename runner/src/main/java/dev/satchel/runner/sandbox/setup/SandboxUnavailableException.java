package dev.satchel.runner.sandbox.setup;

/** Commands cannot be isolated on this machine. The message tells the operator what to change. */
public final class SandboxUnavailableException extends RuntimeException {
    SandboxUnavailableException(String message) {
        super(message);
    }

    SandboxUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
