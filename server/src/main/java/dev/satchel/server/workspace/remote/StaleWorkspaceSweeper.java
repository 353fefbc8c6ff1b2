package dev.satchel.server.workspace.remote;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.WorkspaceLock;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes away what lies on this server's disk though it counts elsewhere. */
public final class StaleWorkspaceSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(StaleWorkspaceSweeper.class);

    private final LiveWorkspaces live;
    private final WorkspaceLock gate;

    public StaleWorkspaceSweeper(LiveWorkspaces live, WorkspaceLock gate) {
        this.live = live;
        this.gate = gate;
    }

    public void clean() {
        try {
            for (ConversationId id : live.leftOver()) {
                remove(id);
            }
        } catch (IOException e) {
            LOG.warn("old workspaces stay for now", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Not when it counts after all, and not while it is still being kept here. */
    public void remove(ConversationId id) throws IOException, InterruptedException {
        try (WorkspaceLock.Pass _ = gate.here(id)) {
            live.removeLeftOver(id);
        }
    }
}
