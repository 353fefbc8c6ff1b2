package dev.satchel.server.workspace;

import dev.satchel.http.SatchelException;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Evicts live workspaces without a turn or change for some time; their snapshots stay. */
public final class IdleWorkspaceSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(IdleWorkspaceSweeper.class);

    private final Database database;
    private final ConversationStore conversations;
    private final LiveWorkspaces live;
    private final WorkspaceManager manager;
    private final Duration idle;
    private final Clock clock;

    public IdleWorkspaceSweeper(
            Database database,
            ConversationStore conversations,
            LiveWorkspaces live,
            WorkspaceManager manager,
            Duration idle,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.live = live;
        this.manager = manager;
        this.idle = idle;
        this.clock = clock;
    }

    public void evict() {
        try {
            for (ConversationId id : live.all()) {
                Optional<Conversation> found = database.read(tx -> conversations.find(tx, id));
                if (found.isPresent() && isIdle(found.get())) {
                    evict(found.get());
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot list workspaces for eviction", e);
        }
    }

    /** Counts from the last turn and from the last change through the API. */
    private boolean isIdle(Conversation conversation) throws IOException {
        return conversation.activeRunId() == null
                && conversation.pendingRun() == null // its files are in no snapshot
                && isIdleSince(conversation.updatedAt())
                && isIdleSince(live.changedAt(conversation.id()));
    }

    private boolean isIdleSince(long millis) {
        return clock.millis() - millis >= idle.toMillis();
    }

    private void evict(Conversation conversation) {
        try {
            manager.evict(conversation);
            LOG.info("workspace evicted chatId={}", conversation.id().value());
        } catch (SatchelException e) {
            LOG.debug("not evicted, a run has begun chatId={}", conversation.id().value());
        } catch (IOException e) {
            LOG.warn("cannot evict a workspace chatId={}", conversation.id().value(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
