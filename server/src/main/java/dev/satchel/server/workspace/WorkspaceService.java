package dev.satchel.server.workspace;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.database.Database;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.snapshot.SnapshotService;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
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
        Optional<Snapshot> newest = snapshots.newest(conversation.id());
        if (newest.isEmpty() && isNewSession(conversation)) {
            return new NoFiles();
        }
        return view(newest.orElseThrow(SessionErrors::noWorkspace));
    }

    /**
     * A session of an agent has a workspace from the beginning; that of a chat is made by a run.
     */
    private boolean isNewSession(Conversation conversation) {
        return conversation.generation() == 0
                && database.read(tx -> conversations.reading().isSession(tx, conversation.id()));
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

    /** The workspace of a session that has not had a turn. */
    private static final class NoFiles implements WorkspaceView {
        @Override
        public WorkspaceSource source() {
            return WorkspaceSource.LIVE;
        }

        @Override
        public void walk(Visitor visitor) {}

        @Override
        public WorkspaceFile open(WorkspacePath path) throws NoSuchFileException {
            throw new NoSuchFileException(path.value());
        }

        @Override
        public String linkTarget(WorkspacePath link) throws NoSuchFileException {
            throw new NoSuchFileException(link.value());
        }

        @Override
        public void close() {}
    }
}
