package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.database.Database;
import dev.satchel.server.document.UnindexedFileTexts;
import dev.satchel.server.metric.SnapshotMetrics;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotSweeper;
import dev.satchel.server.workspace.IdleWorkspaceSweeper;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.PendingSnapshots;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceLock;
import dev.satchel.server.workspace.WorkspaceManager;
import dev.satchel.server.workspace.WorkspaceRestorer;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.archive.ArchiveRoutes;
import dev.satchel.server.workspace.files.FileChangeRoutes;
import dev.satchel.server.workspace.files.FileRoutes;
import dev.satchel.server.workspace.files.FileWatchRoutes;
import dev.satchel.server.workspace.files.RestoreRoutes;
import dev.satchel.server.workspace.files.SnapshotRestoreRoutes;
import dev.satchel.server.workspace.files.SnapshotRoutes;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import dev.satchel.server.workspace.files.WorkspaceTextRoutes;
import dev.satchel.server.workspace.remote.SandboxTransfers;
import java.time.Duration;

/** The workspaces of conversations: snapshots, the Files API and archives. */
final class WorkspaceWiring {
    private static final Duration SWEEP = Duration.ofHours(6);
    private static final Duration IDLE_SWEEP = Duration.ofMinutes(1);

    private final SnapshotService snapshots;
    private final LiveWorkspaceWiring wiring;
    private final WorkspaceCopies copies;
    private final WorkspaceLock lock;
    private final WorkspaceManager manager;
    private final WorkspaceLimits limits;
    private final WorkspaceRestorer restorer;
    private final SessionLookup sessions;
    private final WorkspaceService workspaces;

    /** {@code idle} is after which time an unused live workspace is removed; zero is never. */
    WorkspaceWiring(
            CommonServices common,
            LiveWorkspaceWiring wiring,
            Duration idle,
            WorkspaceLimits limits) {
        this.wiring = wiring;
        this.limits = limits;
        Database database = common.database();
        Stores stores = common.stores();
        CommonServices.Clocks clocks = common.clocks();
        CloseStack closing = common.closing();
        LiveWorkspaces live = wiring.live();

        this.snapshots =
                new SnapshotService(
                        database,
                        stores.snapshots,
                        common.objects(),
                        limits.retention(),
                        clocks.time());
        SnapshotSweeper sweeper =
                new SnapshotSweeper(database, stores.snapshots, common.objects(), clocks.time());
        common.sweeps().every(SWEEP, sweeper::sweep);
        SnapshotMetrics metrics = new SnapshotMetrics(common.metrics().registry());
        snapshots.onTaken(metrics::taken);

        this.copies =
                new WorkspaceCopies(
                        database, stores.bags, stores.workspaceCopies, common.objects());
        this.lock =
                closing.add(
                        new WorkspaceLock(
                                database, stores.workspaceHolds, clocks.leases(), clocks.steady()));
        PendingSnapshots pending =
                new PendingSnapshots(
                        database, stores.conversations, stores.workspaceHomes, live, clocks.time());
        pending.onFailure(metrics::failed);
        WorkspaceManager.Saved saved = new WorkspaceManager.Saved(snapshots, copies, pending);
        this.manager =
                closing.add(
                        new WorkspaceManager(
                                live,
                                wiring.peers(),
                                saved,
                                lock,
                                new SandboxTransfers(live, lock, wiring.client())));
        closing.add(new Scheduler("pending-snapshots"))
                .every(PendingSnapshots.PERIOD, () -> pending.retry(manager::save));
        this.restorer =
                new WorkspaceRestorer(
                        database, stores.conversations, live, wiring.peers(), saved, manager);
        this.sessions = new SessionLookup(database, stores.conversations, stores.runConversations);
        this.workspaces =
                new WorkspaceService(
                        database, stores.conversations, live, wiring.peers(), snapshots, manager);
        if (!idle.isZero()) {
            IdleWorkspaceSweeper evictions =
                    new IdleWorkspaceSweeper(
                            database, stores.conversations, live, manager, idle, clocks.time());
            Duration interval = idle.compareTo(IDLE_SWEEP) < 0 ? idle : IDLE_SWEEP;
            closing.add(new Scheduler("evictions")).every(interval, evictions::evict);
        }
    }

    SessionLookup sessions() {
        return sessions;
    }

    WorkspaceCopies copies() {
        return copies;
    }

    WorkspaceManager manager() {
        return manager;
    }

    SnapshotService snapshots() {
        return snapshots;
    }

    WorkspaceService workspaces() {
        return workspaces;
    }

    WorkspaceRestorer restorer() {
        return restorer;
    }

    void addTo(Router router, Authentication access, UnindexedFileTexts texts) {
        SessionAccess files = wiring.access(access);
        new FileRoutes(sessions, workspaces, files).addTo(router);
        new WorkspaceTextRoutes(sessions, workspaces, texts, files).addTo(router);
        new FileChangeRoutes(sessions, workspaces, files).addTo(router);
        new ArchiveRoutes(sessions, workspaces, limits, files).addTo(router);
        new FileWatchRoutes(sessions, workspaces, files).addTo(router);
        new SnapshotRoutes(sessions, workspaces, restorer, snapshots, limits.diffBytes(), files)
                .addTo(router);
        new RestoreRoutes(sessions, restorer, snapshots, files).addTo(router);
        new SnapshotRestoreRoutes(sessions, restorer, snapshots, limits.listedPaths(), files)
                .addTo(router);
        wiring.addTo(router, manager, lock);
    }
}
