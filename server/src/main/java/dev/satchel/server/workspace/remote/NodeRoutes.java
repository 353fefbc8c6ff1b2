package dev.satchel.server.workspace.remote;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SharedSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What another server may ask of this one: a snapshot of a workspace, and its removal. */
public final class NodeRoutes {
    static final String PATH = "/internal/workspaces";

    private final WorkspaceManager manager;
    private final StaleWorkspaceSweeper stale;
    private final SharedSecret secret;

    public NodeRoutes(WorkspaceManager manager, StaleWorkspaceSweeper stale, SharedSecret secret) {
        this.manager = manager;
        this.stale = stale;
        this.secret = secret;
    }

    public void addTo(Router router) {
        router.post(PATH + "/{id}/snapshot", this::snapshot);
        router.delete(PATH + "/{id}", this::remove);
    }

    /** The origin of a snapshot, apart from the conversation. */
    record SnapshotRequest(String tenant, long generation, @Nullable String runId) {
        static SnapshotRequest of(Origin origin) {
            return new SnapshotRequest(
                    origin.tenant().value(), origin.generation(), origin.runId());
        }

        Origin origin(ConversationId id) {
            return new Origin(new TenantId(tenant), id, generation, runId);
        }
    }

    private void snapshot(Exchange exchange) throws IOException, InterruptedException {
        secret.require(exchange);
        SnapshotRequest request = exchange.readJson(SnapshotRequest.class);
        boolean taken = manager.saveHere(request.origin(id(exchange)));
        exchange.json(200, Map.of("taken", taken));
    }

    private void remove(Exchange exchange) throws IOException, InterruptedException {
        secret.require(exchange);
        stale.remove(id(exchange));
        exchange.send(204);
    }

    private static ConversationId id(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!ConversationId.isValid(id)) {
            throw SessionErrors.noSuchSession();
        }
        return new ConversationId(id);
    }
}
