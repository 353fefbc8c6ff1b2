package dev.satchel.runner.sandbox;

/** Commands cannot be isolated here; the message says what an operator can do about it. */
public final class SandboxUnavailableException extends RuntimeException {
    SandboxUnavailableException(String message) {
        super(message);
    }

    SandboxUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
