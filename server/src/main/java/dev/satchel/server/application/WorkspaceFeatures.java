package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.snapshot.Retention;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.snapshot.SnapshotSweep;
import dev.satchel.server.snapshot.Snapshots;
import dev.satchel.server.workspace.ArchiveRoutes;
import dev.satchel.server.workspace.ChangeRoutes;
import dev.satchel.server.workspace.FileChangeRoutes;
import dev.satchel.server.workspace.FileRoutes;
import dev.satchel.server.workspace.IdleWorkspaces;
import dev.satchel.server.workspace.LeftOvers;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.SnapshotRoutes;
import dev.satchel.server.workspace.WorkspaceGate;
import dev.satchel.server.workspace.WorkspaceKeeper;
import dev.satchel.server.workspace.Workspaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;

/** The workspaces of conversations: kept over the turns, to read, to change and to take home. */
final class WorkspaceFeatures {
    private static final Duration SWEEP = Duration.ofHours(6);
    private static final Duration IDLE_SWEEP = Duration.ofMinutes(1);

    /** Longer than a listing or a download takes to read what it has open. */
    private static final Duration READ_ON = Duration.ofMinutes(2);

    private final Snapshots snapshots;
    private final WorkspaceKeeper keeper;
    private final LeftOvers leftOvers;
    private final SessionLookup sessions;
    private final Workspaces workspaces;

    WorkspaceFeatures(
            CloseStack closing,
            Database database,
            ObjectStore objects,
            LiveWorkspaces live,
            Scheduler sweeps,
            Duration idle,
            Clock clock) {
        SnapshotStore store = new SnapshotStore();
        this.snapshots = new Snapshots(database, store, objects, Retention.USUAL, clock);
        WorkspaceGate gate =
                closing.add(new WorkspaceGate(database, new LeaseClock(database, clock)));
        this.keeper = closing.add(new WorkspaceKeeper(live, snapshots, gate));
        this.leftOvers = new LeftOvers(live, gate);
        this.sessions = new SessionLookup(database, new ConversationStore());
        this.workspaces = new Workspaces(live, snapshots, keeper);
        SnapshotSweep sweep = new SnapshotSweep(database, store, objects, clock);
        sweeps.every(SWEEP, sweep::sweep);
        IdleWorkspaces evictions =
                new IdleWorkspaces(database, new ConversationStore(), live, keeper, idle, clock);
        Scheduler idleness = closing.add(new Scheduler("evictions"));
        idleness.every(IDLE_SWEEP, () -> clearRemoved(live));
        if (!idle.isZero()) {
            Duration often = idle.compareTo(IDLE_SWEEP) < 0 ? idle : IDLE_SWEEP;
            idleness.every(often, evictions::evict);
        }
    }

    SessionLookup sessions() {
        return sessions;
    }

    WorkspaceKeeper keeper() {
        return keeper;
    }

    LeftOvers leftOvers() {
        return leftOvers;
    }

    void addTo(Router router, Access access) {
        new FileRoutes(sessions, workspaces, access).addTo(router);
        new FileChangeRoutes(sessions, workspaces, access).addTo(router);
        new ArchiveRoutes(sessions, workspaces, access).addTo(router);
        new ChangeRoutes(sessions, workspaces, access).addTo(router);
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
