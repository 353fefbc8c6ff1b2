package dev.satchel.server.workspace.files;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.snapshot.Manifest;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.SessionTimestamps;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The snapshots of a workspace, and the differences between them. */
public final class SnapshotRoutes {
    private final SessionLookup sessions;
    private final SnapshotService snapshots;
    private final Authentication access;

    public SnapshotRoutes(
            SessionLookup sessions, SnapshotService snapshots, Authentication access) {
        this.sessions = sessions;
        this.snapshots = snapshots;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/sessions/{id}/snapshots", access.requireCaller(this::list));
        router.get("/api/sessions/{id}/snapshots/diff", access.requireCaller(this::difference));
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
        Optional<SnapshotId> to = requested(exchange, "to");
        Conversation session = sessions.findReadable(exchange, caller);
        Snapshot earlier = find(session, from);
        Snapshot later =
                to.isPresent()
                        ? find(session, to.get())
                        : snapshots.newest(session.id()).orElseThrow(SessionErrors::noSuchSnapshot);
        Manifest.Difference difference =
                snapshots.manifest(earlier).differenceTo(snapshots.manifest(later));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("from", earlier.id().value());
        body.put("to", later.id().value());
        body.put("added", difference.added());
        body.put("removed", difference.removed());
        body.put("changed", difference.changed());
        exchange.json(200, body);
    }

    private Snapshot find(Conversation session, SnapshotId id) {
        return snapshots.find(session.id(), id).orElseThrow(SessionErrors::noSuchSnapshot);
    }
}
