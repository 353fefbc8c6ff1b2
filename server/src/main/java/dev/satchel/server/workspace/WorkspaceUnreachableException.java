package dev.satchel.server.workspace;

import java.io.IOException;

/** The newest files lie on a server that is alive and cannot be reached. */
public final class WorkspaceUnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    public WorkspaceUnreachableException(IOException cause) {
        super("the server that has the workspace cannot be reached", cause);
    }
}
