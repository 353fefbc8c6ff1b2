package dev.satchel.server.workspace.remote;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.WorkspaceLock;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes workspaces on this server's disk whose home is another server. */
public final class StaleWorkspaceSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(StaleWorkspaceSweeper.class);

    private final ClusterWorkspaces workspaces;
    private final WorkspaceLock lock;

    public StaleWorkspaceSweeper(ClusterWorkspaces workspaces, WorkspaceLock lock) {
        this.workspaces = workspaces;
        this.lock = lock;
    }

    public void sweep() {
        try {
            for (ConversationId id : workspaces.stale()) {
                remove(id);
            }
        } catch (IOException e) {
            LOG.warn("cannot delete stale workspaces", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a snapshot of it that is being taken here. */
    void remove(ConversationId id) throws IOException, InterruptedException {
        try (WorkspaceLock.Handle _ = lock.onThisServer(id)) {
            workspaces.removeStale(id);
        }
    }
}
