package dev.satchel.server.execution;

import dev.satchel.server.run.RunStatus;

/** How a run ended, as its thread and its log will tell it. */
sealed interface RunOutcome {
    RunStatus status();

    record Answered(String message) implements RunOutcome {
        @Override
        public RunStatus status() {
            return RunStatus.SUCCEEDED;
        }
    }

    /** Without an answer: failed, cancelled or interrupted. */
    record Stopped(RunStatus status, String code, String message) implements RunOutcome {}

    static RunOutcome failed(String code, String message) {
        return new Stopped(RunStatus.FAILED, code, message);
    }
}
