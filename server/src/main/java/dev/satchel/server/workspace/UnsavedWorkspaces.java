package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.snapshot.SnapshotService;
import java.io.IOException;
import java.util.Optional;

/**
 * Keeps what lies in live workspaces and in no snapshot, such as files that were put there after
 * the last turn of a server that was killed. For a data folder that no server works on.
 */
public final class UnsavedWorkspaces {
    private final Database database;
    private final LiveWorkspaces live;
    private final SnapshotService snapshots;
    private final ConversationStore conversations = new ConversationStore();

    public UnsavedWorkspaces(Database database, LiveWorkspaces live, SnapshotService snapshots) {
        this.database = database;
        this.live = live;
        this.snapshots = snapshots;
    }

    /** Returns how many had to be kept. */
    public int keep() throws IOException {
        int kept = 0;
        for (ConversationId id : live.all()) {
            Optional<Conversation> conversation = database.read(tx -> conversations.find(tx, id));
            if (conversation.isPresent() && keep(conversation.get())) {
                kept++;
            }
        }
        return kept;
    }

    private boolean keep(Conversation conversation) throws IOException {
        Optional<SafeDirectory> directory = live.find(conversation.id());
        if (directory.isEmpty()) {
            return false;
        }
        try (SafeDirectory open = directory.get()) {
            return !snapshots.isKept(conversation.id(), open)
                    && snapshots.take(WorkspaceManager.occasion(conversation), open).isPresent();
        }
    }
}
