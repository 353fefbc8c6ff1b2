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
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceLock;
import dev.satchel.server.workspace.WorkspaceManager;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.archive.ArchiveRoutes;
import dev.satchel.server.workspace.files.FileChangeRoutes;
import dev.satchel.server.workspace.files.FileRoutes;
import dev.satchel.server.workspace.files.FileWatchRoutes;
import dev.satchel.server.workspace.files.SnapshotRoutes;
import dev.satchel.server.workspace.remote.SandboxTransfers;
import java.time.Clock;
import java.time.Duration;

/** The workspaces of conversations: snapshots, the Files API and archives. */
final class WorkspaceWiring {
    private static final Duration SWEEP = Duration.ofHours(6);
    private static final Duration IDLE_SWEEP = Duration.ofMinutes(1);

    private final SnapshotStore snapshotStore;
    private final SnapshotService snapshots;
    private final LiveWorkspaceWiring wiring;
    private final WorkspaceLock lock;
    private final WorkspaceManager manager;
    private final SessionLookup sessions;
    private final WorkspaceService workspaces;

    WorkspaceWiring(
            CloseStack closing,
            Database database,
            ObjectStore objects,
            LiveWorkspaceWiring wiring,
            Scheduler sweeps,
            Duration idle,
            Clock clock) {
        this.wiring = wiring;
        LiveWorkspaces live = wiring.live();
        this.snapshotStore = new SnapshotStore();
        this.snapshots =
                new SnapshotService(
                        database, snapshotStore, objects, SnapshotRetention.USUAL, clock);
        this.lock = closing.add(new WorkspaceLock(database, new LeaseClock(database, clock)));
        this.manager =
                closing.add(
                        new WorkspaceManager(
                                live,
                                wiring.peers(),
                                snapshots,
                                lock,
                                new SandboxTransfers(live, lock)));
        this.sessions = new SessionLookup(database, new ConversationStore());
        this.workspaces = new WorkspaceService(live, snapshots, manager);
        SnapshotSweeper sweep = new SnapshotSweeper(database, snapshotStore, objects, clock);
        sweeps.every(SWEEP, sweep::sweep);
        IdleWorkspaceSweeper evictions =
                new IdleWorkspaceSweeper(
                        database, new ConversationStore(), live, manager, idle, clock);
        if (!idle.isZero()) {
            Duration interval = idle.compareTo(IDLE_SWEEP) < 0 ? idle : IDLE_SWEEP;
            closing.add(new Scheduler("evictions")).every(interval, evictions::evict);
        }
    }

    SnapshotStore snapshotStore() {
        return snapshotStore;
    }

    SessionLookup sessions() {
        return sessions;
    }

    WorkspaceManager manager() {
        return manager;
    }

    void addTo(Router router, Authentication access) {
        SessionAccess files = wiring.access(access);
        new FileRoutes(sessions, workspaces, files).addTo(router);
        new FileChangeRoutes(sessions, workspaces, files).addTo(router);
        new ArchiveRoutes(sessions, workspaces, files).addTo(router);
        new FileWatchRoutes(sessions, workspaces, files).addTo(router);
        new SnapshotRoutes(sessions, snapshots, access).addTo(router);
        wiring.addTo(router, manager, lock);
    }
}
