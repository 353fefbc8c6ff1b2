package dev.satchel.server.workspace.files;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.snapshot.Manifest;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.SessionTimestamps;
import dev.satchel.server.workspace.WorkspaceRestorer;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The snapshots of a workspace, and the differences between them. */
public final class SnapshotRoutes {
    /** Stands for the workspace as it is now. */
    private static final String LIVE = "live";

    private final SessionLookup sessions;
    private final WorkspaceService workspaces;
    private final WorkspaceRestorer restorer;
    private final SnapshotService snapshots;
    private final long maxBytes;
    private final SessionAccess access;

    /**
     * @param maxBytes of one version of a file whose text is compared
     */
    public SnapshotRoutes(
            SessionLookup sessions,
            WorkspaceService workspaces,
            WorkspaceRestorer restorer,
            SnapshotService snapshots,
            long maxBytes,
            SessionAccess access) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.restorer = restorer;
        this.snapshots = snapshots;
        this.maxBytes = maxBytes;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/snapshots",
                access.requireCaller(Permission.READ_FILES, this::list));
        router.get(
                "/api/sessions/{id}/snapshots/diff",
                access.requireCaller(Permission.READ_FILES, this::difference));
    }

    /** A snapshot's id in the query; refuses an invalid one. */
    public static Optional<SnapshotId> requested(Exchange exchange, String name) {
        Optional<String> id = exchange.query(name);
        if (id.isPresent() && !SnapshotId.isValid(id.get())) {
            throw SessionErrors.invalid("querystring/" + name + " must match format \"uuid\"");
        }
        return id.map(SnapshotId::new);
    }

    /** A snapshot as it is sent to clients. */
    private record View(
            String id,
            String createdAt,
            @Nullable String runId,
            @Nullable String messageId,
            @Nullable String restoredFrom,
            long files,
            long bytes,
            @Nullable Long added,
            @Nullable Long changed,
            @Nullable Long removed) {
        static View of(Snapshot snapshot) {
            MessageId message = snapshot.message();
            SnapshotId restored = snapshot.restoredFrom();
            Manifest.Counts changes = snapshot.changes();
            return new View(
                    snapshot.id().value(),
                    SessionTimestamps.ofMillis(snapshot.createdAt()),
                    snapshot.runId(),
                    message == null ? null : message.value(),
                    restored == null ? null : restored.value(),
                    snapshot.files(),
                    snapshot.bytes(),
                    changes == null ? null : changes.added(),
                    changes == null ? null : changes.changed(),
                    changes == null ? null : changes.removed());
        }
    }

    private void list(Exchange exchange, Caller caller) {
        Conversation session = sessions.findReadable(exchange, caller);
        exchange.json(
                200,
                Map.of("snapshots", snapshots.list(session.id()).stream().map(View::of).toList()));
    }

    private void difference(Exchange exchange, Caller caller) throws IOException {
        SessionLookup.id(exchange);
        SnapshotId from =
                requested(exchange, "from")
                        .orElseThrow(() -> SessionErrors.invalid("querystring/from is required"));
        boolean toLive = exchange.query("to").filter(LIVE::equals).isPresent();
        Optional<SnapshotId> to = toLive ? Optional.empty() : requested(exchange, "to");
        Conversation session = sessions.findReadable(exchange, caller);
        Snapshot earlier = find(session, from);
        Optional<Snapshot> later =
                toLive
                        ? Optional.empty()
                        : Optional.of(to.isPresent() ? find(session, to.get()) : newest(session));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("from", earlier.id().value());
        body.put("to", later.map(it -> it.id().value()).orElse(LIVE));
        Optional<String> path = exchange.query("path");
        if (path.isPresent()) {
            putFile(body, session, RequestedPath.parse(path.get()), earlier, later);
        } else {
            putPaths(body, session, earlier, later);
        }
        exchange.json(200, body);
    }

    private void putPaths(
            Map<String, Object> body,
            Conversation session,
            Snapshot earlier,
            Optional<Snapshot> later)
            throws IOException {
        if (later.isPresent()) {
            Manifest.Difference difference = snapshots.difference(Optional.of(earlier), later);
            body.put("added", difference.added());
            body.put("removed", difference.removed());
            body.put("changed", difference.changed());
            return;
        }
        Manifest.Difference back = restorer.preview(session, earlier, List.of());
        body.put("added", back.removed());
        body.put("removed", back.added());
        body.put("changed", back.changed());
    }

    private void putFile(
            Map<String, Object> body,
            Conversation session,
            RequestedPath path,
            Snapshot earlier,
            Optional<Snapshot> later)
            throws IOException {
        FileComparison.Outcome outcome;
        try (WorkspaceView before = workspaces.view(session, Optional.of(earlier.id()));
                WorkspaceView after = workspaces.view(session, later.map(Snapshot::id))) {
            outcome = new FileComparison(maxBytes).compare(before, after, path.path());
        }
        body.put("path", path.path().value());
        body.put("status", outcome.status().name().toLowerCase(Locale.ROOT));
        body.put("binary", outcome.binary());
        body.put("tooLarge", outcome.tooLarge());
        body.put("diff", outcome.hunks());
    }

    private Snapshot newest(Conversation session) {
        return snapshots.newest(session.id()).orElseThrow(SessionErrors::noSuchSnapshot);
    }

    private Snapshot find(Conversation session, SnapshotId id) {
        return snapshots.find(session.id(), id).orElseThrow(SessionErrors::noSuchSnapshot);
    }
}
