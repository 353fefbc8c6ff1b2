package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.snapshot.SnapshotRetention;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.snapshot.SnapshotSweeper;
import dev.satchel.server.workspace.IdleWorkspaceSweeper;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceLock;
import dev.satchel.server.workspace.WorkspaceManager;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.archive.ArchiveRoutes;
import dev.satchel.server.workspace.files.FileChangeRoutes;
import dev.satchel.server.workspace.files.FileRoutes;
import dev.satchel.server.workspace.files.FileWatchRoutes;
import dev.satchel.server.workspace.files.SnapshotRoutes;
import dev.satchel.server.workspace.remote.StaleWorkspaceSweeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;

/** The workspaces of conversations: kept over the turns, to read, to change and to take home. */
final class WorkspaceWiring {
    private static final Duration SWEEP = Duration.ofHours(6);
    private static final Duration IDLE_SWEEP = Duration.ofMinutes(1);

    /** Longer than a listing or a download takes to read what it has open. */
    private static final Duration READ_ON = Duration.ofMinutes(2);

    private final SnapshotStore snapshotStore;
    private final SnapshotService snapshots;
    private final WorkspaceManager keeper;
    private final StaleWorkspaceSweeper leftOvers;
    private final SessionLookup sessions;
    private final WorkspaceService workspaces;

    WorkspaceWiring(
            CloseStack closing,
            Database database,
            ObjectStore objects,
            LiveWorkspaces live,
            Scheduler sweeps,
            Duration idle,
            Clock clock) {
        this.snapshotStore = new SnapshotStore();
        this.snapshots =
                new SnapshotService(
                        database, snapshotStore, objects, SnapshotRetention.USUAL, clock);
        WorkspaceLock gate =
                closing.add(new WorkspaceLock(database, new LeaseClock(database, clock)));
        this.keeper = closing.add(new WorkspaceManager(live, snapshots, gate));
        this.leftOvers = new StaleWorkspaceSweeper(live, gate);
        this.sessions = new SessionLookup(database, new ConversationStore());
        this.workspaces = new WorkspaceService(live, snapshots, keeper);
        SnapshotSweeper sweep = new SnapshotSweeper(database, snapshotStore, objects, clock);
        sweeps.every(SWEEP, sweep::sweep);
        IdleWorkspaceSweeper evictions =
                new IdleWorkspaceSweeper(
                        database, new ConversationStore(), live, keeper, idle, clock);
        Scheduler idleness = closing.add(new Scheduler("evictions"));
        idleness.every(IDLE_SWEEP, () -> clearRemoved(live));
        if (!idle.isZero()) {
            Duration often = idle.compareTo(IDLE_SWEEP) < 0 ? idle : IDLE_SWEEP;
            idleness.every(often, evictions::evict);
        }
    }

    SnapshotStore snapshotStore() {
        return snapshotStore;
    }

    SessionLookup sessions() {
        return sessions;
    }

    WorkspaceManager keeper() {
        return keeper;
    }

    StaleWorkspaceSweeper leftOvers() {
        return leftOvers;
    }

    void addTo(Router router, Authentication access) {
        new FileRoutes(sessions, workspaces, access).addTo(router);
        new FileChangeRoutes(sessions, workspaces, access).addTo(router);
        new ArchiveRoutes(sessions, workspaces, access).addTo(router);
        new FileWatchRoutes(sessions, workspaces, access).addTo(router);
        new SnapshotRoutes(sessions, snapshots, access).addTo(router);
    }

    private static void clearRemoved(LiveWorkspaces live) {
        try {
            live.clearRemoved(READ_ON);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the next round tries again
        }
    }
}
