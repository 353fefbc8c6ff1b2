package dev.satchel.server.execution;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sandbox answered with an error status instead of a stream. */
final class SandboxRefusedException extends Exception {
    private static final int FULL = 503;

    private final int status;
    private final @Nullable Duration retryAfter;

    SandboxRefusedException(int status, @Nullable Duration retryAfter) {
        super("the sandbox answered " + status);
        this.status = status;
        this.retryAfter = retryAfter;
    }

    /** When to dispatch again: a full runner that names a time has not started the run. */
    Optional<Duration> roomAfter() {
        return status == FULL ? Optional.ofNullable(retryAfter) : Optional.empty();
    }

    RunOutcome outcome() {
        if (status == FULL) {
            return RunOutcome.failed(
                    "sandbox_busy", "Every sandbox is busy. Try again in a moment.");
        }
        return RunOutcome.failed(
                "sandbox_http_error", "The sandbox refused the run with status " + status + ".");
    }
}
