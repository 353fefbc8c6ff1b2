package dev.satchel.server.migrate;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.util.Optional;

/**
 * Takes snapshots of live workspaces whose files are in no snapshot, such as files that were
 * written through the API before the server was killed. For a data folder that no server uses.
 */
public final class UnsavedWorkspaces {
    private final Database database;
    private final LiveWorkspaces live;
    private final SnapshotService snapshots;
    private final ConversationStore conversations;

    public UnsavedWorkspaces(
            Database database,
            ConversationStore conversations,
            LiveWorkspaces live,
            SnapshotService snapshots) {
        this.database = database;
        this.conversations = conversations;
        this.live = live;
        this.snapshots = snapshots;
    }

    /** Returns how many snapshots were taken. */
    public int save() throws IOException {
        int saved = 0;
        for (ConversationId id : live.all()) {
            Optional<Conversation> conversation = database.read(tx -> conversations.find(tx, id));
            if (conversation.isPresent() && save(conversation.get())) {
                saved++;
            }
        }
        return saved;
    }

    private boolean save(Conversation conversation) throws IOException {
        Optional<SafeDirectory> directory = live.find(conversation.id());
        if (directory.isEmpty()) {
            return false;
        }
        try (SafeDirectory open = directory.get()) {
            return (conversation.pendingRun() != null
                            || !snapshots.isComplete(conversation.id(), open))
                    && snapshots.take(WorkspaceManager.origin(conversation), open).isPresent();
        }
    }
}
