package dev.satchel.server.execution;

/** The sandbox answered, but not with a stream. */
final class SandboxRefusal extends Exception {
    private final int status;

    SandboxRefusal(int status) {
        super("the sandbox answered " + status);
        this.status = status;
    }

    Ending ending() {
        if (status == 503) {
            return Ending.failed("sandbox_busy", "Every sandbox is busy. Try again in a moment.");
        }
        return Ending.failed(
                "sandbox_http_error", "The sandbox refused the run with status " + status + ".");
    }
}
