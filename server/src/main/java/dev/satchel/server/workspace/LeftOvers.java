package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes away what lies on this server's disk though it counts elsewhere. */
public final class LeftOvers {
    private static final Logger LOG = LoggerFactory.getLogger(LeftOvers.class);

    private final LiveWorkspaces live;
    private final WorkspaceGate gate;

    public LeftOvers(LiveWorkspaces live, WorkspaceGate gate) {
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
        try (WorkspaceGate.Pass _ = gate.here(id)) {
            live.removeLeftOver(id);
        }
    }
}
