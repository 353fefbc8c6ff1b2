package dev.satchel.server.workspace.remote;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.node.InternalAccess;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Peer;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What another server may ask of this one: whether it is there, a call back, a snapshot of a
 * workspace, and its removal.
 */
public final class NodeRoutes {
    static final String PATH = "/internal/workspaces";
    static final String SELF = "/internal/node";
    static final String CALL_BACK = SELF + "/call-back";

    private final WorkspaceManager manager;
    private final StaleWorkspaceSweeper stale;
    private final NodeClient nodes;
    private final InternalAccess access;

    public NodeRoutes(
            WorkspaceManager manager,
            StaleWorkspaceSweeper stale,
            NodeClient nodes,
            InternalAccess access) {
        this.manager = manager;
        this.stale = stale;
        this.nodes = nodes;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(SELF, this::self);
        router.post(CALL_BACK, this::callBack);
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

    /** The server to call, which has started and is not sure that others reach it. */
    record CallBackRequest(String id, String address) {
        static CallBackRequest of(Peer peer) {
            return new CallBackRequest(peer.id().value(), peer.address().toString());
        }

        Peer peer() {
            return new Peer(new NodeId(id), URI.create(address));
        }
    }

    private void self(Exchange exchange) {
        access.require(exchange);
        exchange.json(200, Map.of("id", access.self().value()));
    }

    private void callBack(Exchange exchange) throws IOException {
        access.require(exchange);
        Peer peer = exchange.readJson(CallBackRequest.class).peer();
        try {
            nodes.requireAnswer(peer);
            exchange.json(200, Map.of());
        } catch (IOException e) {
            exchange.json(200, Map.of("problem", NodeClient.reason(e)));
        }
    }

    private void snapshot(Exchange exchange) throws IOException, InterruptedException {
        access.require(exchange);
        SnapshotRequest request = exchange.readJson(SnapshotRequest.class);
        boolean taken = manager.saveHere(request.origin(id(exchange)));
        exchange.json(200, Map.of("taken", taken));
    }

    private void remove(Exchange exchange) throws IOException, InterruptedException {
        access.require(exchange);
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
