package dev.satchel.server.workspace;

import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.snapshot.SnapshotService;
import java.io.IOException;
import java.util.Optional;

/** Opens the workspaces of conversations, to read or to change. */
public final class WorkspaceService {
    private final LiveWorkspaces live;
    private final SnapshotService snapshots;
    private final WorkspaceManager keeper;

    public WorkspaceService(
            LiveWorkspaces live, SnapshotService snapshots, WorkspaceManager keeper) {
        this.live = live;
        this.snapshots = snapshots;
        this.keeper = keeper;
    }

    /** As it was then; or live, else as it was last. The caller closes it. */
    public WorkspaceView view(Conversation conversation, Optional<SnapshotId> at)
            throws IOException {
        if (at.isPresent()) {
            return view(
                    snapshots
                            .find(conversation.id(), at.get())
                            .orElseThrow(SessionErrors::noSuchSnapshot));
        }
        Optional<WorkspaceView> there = live.view(conversation.id());
        if (there.isPresent()) {
            return there.get();
        }
        return view(snapshots.newest(conversation.id()).orElseThrow(SessionErrors::noWorkspace));
    }

    /** Changes the live one, restored or made if need be; not while a run is in it. */
    public void change(Conversation conversation, WorkspaceManager.Change change)
            throws IOException, InterruptedException {
        keeper.change(conversation, change);
    }

    private WorkspaceView view(Snapshot snapshot) throws IOException {
        return new SnapshotWorkspaceView(snapshots, snapshot, snapshots.manifest(snapshot));
    }
}
