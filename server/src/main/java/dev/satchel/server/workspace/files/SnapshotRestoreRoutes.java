package dev.satchel.server.workspace.files;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.snapshot.Manifest;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceRestorer;
import dev.satchel.server.workspace.WorkspaceRestorer.Restored;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code POST /api/sessions/{id}/restore}: the workspace, or some paths, as in a snapshot. */
public final class SnapshotRestoreRoutes {
    private final SessionLookup sessions;
    private final WorkspaceRestorer restorer;
    private final SnapshotService snapshots;
    private final int maxListed;
    private final SessionAccess access;

    /**
     * @param maxListed how many paths of each kind an answer has
     */
    public SnapshotRestoreRoutes(
            SessionLookup sessions,
            WorkspaceRestorer restorer,
            SnapshotService snapshots,
            int maxListed,
            SessionAccess access) {
        this.sessions = sessions;
        this.restorer = restorer;
        this.snapshots = snapshots;
        this.maxListed = maxListed;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/sessions/{id}/restore",
                access.requireCaller(Permission.WRITE_FILES, this::restore));
    }

    private void restore(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        Conversation session = sessions.find(exchange, caller);
        SnapshotRestoreRequest wanted = exchange.readLenientJson(SnapshotRestoreRequest.class);
        Snapshot target =
                snapshots
                        .find(session.id(), wanted.id())
                        .orElseThrow(SessionErrors::noSuchSnapshot);
        if (wanted.isDryRun()) {
            exchange.json(
                    200,
                    body(
                            target,
                            Optional.empty(),
                            Optional.empty(),
                            restorer.preview(session, target, wanted.wantedPaths())));
            return;
        }
        Restored<Boolean> restored = restorer.restore(session, target, wanted.wantedPaths());
        exchange.json(
                200, body(target, restored.kept(), restored.made(), restorer.changes(restored)));
    }

    private Map<String, Object> body(
            Snapshot target,
            Optional<Snapshot> kept,
            Optional<Snapshot> made,
            Manifest.Difference difference) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("snapshot", target.id().value());
        body.put("undo", kept.map(it -> it.id().value()).orElse(null));
        body.put("restored", made.map(it -> it.id().value()).orElse(null));
        put(body, "added", difference.added());
        put(body, "changed", difference.changed());
        put(body, "removed", difference.removed());
        return body;
    }

    /** The first paths, and how many there are in total. */
    private void put(Map<String, Object> body, String name, List<String> paths) {
        body.put(name, paths.subList(0, Math.min(maxListed, paths.size())));
        body.put(name + "Count", paths.size());
    }
}
