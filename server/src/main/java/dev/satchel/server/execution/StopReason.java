package dev.satchel.server.execution;

import dev.satchel.server.run.RunStatus;

/** Why a run is stopped before it has answered. */
public enum StopReason {
    CANCELLED(RunStatus.CANCELLED, "cancelled", "Stopped on request."),
    CLIENT_GONE(RunStatus.CANCELLED, "cancelled", "Stopped because the client went away."),
    SHUTDOWN(RunStatus.INTERRUPTED, "interrupted", "The server was stopped during this turn."),
    OWNER_LOST(RunStatus.INTERRUPTED, "interrupted", "The server stopped during this turn."),
    IDLE(RunStatus.FAILED, "idle_timeout", "The sandbox sent nothing for too long."),
    RUN_LIMIT(RunStatus.FAILED, "run_timeout", "The run took longer than it may."),
    /** Another process has the run: the execution ends and writes nothing more. */
    STALE(RunStatus.INTERRUPTED, "interrupted", "Another server has taken this run over.");

    private final RunStatus status;
    private final String code;
    private final String message;

    StopReason(RunStatus status, String code, String message) {
        this.status = status;
        this.code = code;
        this.message = message;
    }

    RunOutcome outcome() {
        return new RunOutcome.Stopped(status, code, message);
    }
}
