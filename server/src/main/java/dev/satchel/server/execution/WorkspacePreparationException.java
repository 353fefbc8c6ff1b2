package dev.satchel.server.execution;

import java.io.IOException;

/** What a run should work on could not be made ready; the cause is for the log. */
final class WorkspacePreparationException extends IOException {
    private static final long serialVersionUID = 1L;

    WorkspacePreparationException(IOException cause) {
        super("a run's workspace could not be made ready", cause);
    }
}
