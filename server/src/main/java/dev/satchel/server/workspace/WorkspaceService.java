package dev.satchel.server.workspace;

import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.database.Database;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.snapshot.SnapshotService;
import java.io.IOException;
import java.util.Optional;

/** Opens the workspaces of conversations, to read or to change them. */
public final class WorkspaceService {
    private final Database database;
    private final ConversationStore conversations;
    private final LiveWorkspaces live;
    private final PeerWorkspaces peers;
    private final SnapshotService snapshots;
    private final WorkspaceManager manager;

    public WorkspaceService(
            Database database,
            ConversationStore conversations,
            LiveWorkspaces live,
            PeerWorkspaces peers,
            SnapshotService snapshots,
            WorkspaceManager manager) {
        this.database = database;
        this.conversations = conversations;
        this.live = live;
        this.peers = peers;
        this.snapshots = snapshots;
        this.manager = manager;
    }

    /**
     * Opens the snapshot {@code at}; without one, the live workspace or else the newest snapshot. A
     * session that is not active is read from its newest snapshot, although its live workspace may
     * still exist. Files that are in no snapshot are only read live. The caller closes it.
     */
    public WorkspaceView view(Conversation conversation, Optional<SnapshotId> at)
            throws IOException {
        if (at.isPresent()) {
            return view(
                    snapshots
                            .find(conversation.id(), at.get())
                            .orElseThrow(SessionErrors::noSuchSnapshot));
        }
        boolean pending = manager.pending().isPending(conversation.id());
        boolean restoring = snapshots.isRestoring(conversation.id());
        if (restoring || (!pending && !isActive(conversation))) {
            Optional<Snapshot> newest = snapshots.newest(conversation.id());
            if (newest.isPresent()) {
                return view(newest.get());
            }
        }
        Optional<WorkspaceView> current = live.view(conversation.id());
        if (current.isPresent()) {
            return current.get();
        }
        if (pending) { // the snapshot is older than what the client has seen
            throw SessionErrors.workspacePending(conversation.id());
        }
        return view(snapshots.newest(conversation.id()).orElseThrow(SessionErrors::noWorkspace));
    }

    /** Whether another server that is alive has the live workspace. */
    public boolean isElsewhere(Conversation conversation) {
        return peers.have(conversation.id());
    }

    /** Changes the live workspace, restored or created if necessary; fails during a run. */
    public void change(Conversation conversation, WorkspaceManager.Change change)
            throws IOException, InterruptedException {
        manager.change(conversation, change, () -> isActive(conversation));
    }

    private boolean isActive(Conversation conversation) {
        return database.read(tx -> conversations.reading().sessionStatus(tx, conversation.id()))
                == SessionStatus.ACTIVE;
    }

    private WorkspaceView view(Snapshot snapshot) throws IOException {
        return new SnapshotWorkspaceView(snapshots, snapshot, snapshots.manifest(snapshot));
    }
}
