package dev.satchel.server.execution;

import java.io.IOException;

/** The workspace of a run could not be prepared; the cause is for the log. */
final class WorkspacePreparationException extends IOException {
    private static final long serialVersionUID = 1L;

    WorkspacePreparationException(IOException cause) {
        super("the workspace of a run could not be prepared", cause);
    }
}
