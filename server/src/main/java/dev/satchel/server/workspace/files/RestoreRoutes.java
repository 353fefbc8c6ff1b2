package dev.satchel.server.workspace.files;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceRestorer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code POST /api/sessions/{id}/workspace/restore}: continues from the newest snapshot although
 * there are newer files on a server that is away.
 */
public final class RestoreRoutes {
    private final SessionLookup sessions;
    private final WorkspaceRestorer workspaces;
    private final SnapshotService snapshots;
    private final SessionAccess access;

    public RestoreRoutes(
            SessionLookup sessions,
            WorkspaceRestorer workspaces,
            SnapshotService snapshots,
            SessionAccess access) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.snapshots = snapshots;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/sessions/{id}/workspace/restore",
                access.requireCaller(Permission.WRITE_FILES, this::restore));
    }

    private void restore(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        Conversation session = sessions.findReadable(exchange, caller);
        boolean restored = workspaces.discardPending(session);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("restored", restored);
        body.put(
                "snapshotId",
                snapshots
                        .newest(session.id())
                        .map(Snapshot::id)
                        .map(id -> id.value())
                        .orElse(null));
        exchange.json(200, body);
    }
}
