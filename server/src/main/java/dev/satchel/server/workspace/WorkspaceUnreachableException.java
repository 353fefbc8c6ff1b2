package dev.satchel.server.workspace;

import java.io.IOException;

/** The newest files are on a server that is alive and does not answer. */
public final class WorkspaceUnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    public WorkspaceUnreachableException(IOException cause) {
        super("the server that has the workspace does not answer", cause);
    }
}
