package dev.satchel.server.execution;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sandbox answered with an error status instead of a stream. */
final class SandboxRefusedException extends Exception {
    private static final int FULL = 503;

    /** What a proxy answers for a runner that is not there. */
    private static final Set<Integer> UNREACHABLE = Set.of(502, FULL, 504);

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

    /** Whether the runner may be there later; it has not started the run. */
    boolean isUnreachable() {
        return UNREACHABLE.contains(status);
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
