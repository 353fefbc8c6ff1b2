package dev.satchel.server.workspace.remote;

import dev.satchel.http.BearerToken;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.HttpClients;
import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.node.InternalAccess;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Nodes;
import dev.satchel.server.node.Peer;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;

/** Calls the other servers that share the database. */
public final class NodeClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SNAPSHOT_TIMEOUT = Duration.ofMinutes(5);

    private final Nodes nodes;
    private final String secret;
    private final HttpClient client;

    /** All servers have the same secret. */
    public NodeClient(Nodes nodes, String secret, HttpClient client) {
        this.nodes = nodes;
        this.secret = secret;
        this.client = client;
    }

    /** For calls to other servers and to runners. */
    public static HttpClient newHttpClient() {
        return HttpClients.builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(command -> Thread.ofVirtual().name("workspace-io").start(command))
                .build();
    }

    /** Another server; empty if it is down. */
    Optional<Peer> find(NodeId node) {
        return nodes.find(node);
    }

    /** Fails if the server does not answer at once, so that a longer call can be made. */
    public void requireAnswer(Peer node) throws IOException {
        require(request(node, NodeRoutes.SELF, RESPONSE_TIMEOUT).build()).close();
    }

    /**
     * Makes a server call another one at the address that it has announced. Empty if it was
     * answered, else the reason.
     */
    Optional<String> callBack(Peer node, Peer target) throws IOException {
        byte[] body = Json.MAPPER.writeValueAsBytes(NodeRoutes.CallBackRequest.of(target));
        HttpRequest request =
                request(node, NodeRoutes.CALL_BACK, RESPONSE_TIMEOUT.multipliedBy(2))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build();
        try (InputStream answer = require(request)) {
            return Json.MAPPER.readTree(answer).path("problem").asStringOpt();
        }
    }

    /** Makes a server take a snapshot; false if it took none, is down or refuses connections. */
    boolean snapshot(NodeId node, Origin origin) throws IOException {
        Optional<Peer> peer = find(node);
        if (peer.isEmpty()) {
            return false;
        }
        String path = NodeRoutes.PATH + "/" + origin.conversation().value() + "/snapshot";
        byte[] body = Json.MAPPER.writeValueAsBytes(NodeRoutes.SnapshotRequest.of(origin));
        HttpRequest request =
                request(peer.get(), path, SNAPSHOT_TIMEOUT)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build();
        try {
            requireAnswer(peer.get());
            try (InputStream answer = require(request)) {
                return Json.MAPPER.readTree(answer).path("taken").booleanValue(false);
            }
        } catch (ConnectException e) {
            return false;
        }
    }

    /** Makes a server remove a workspace that it no longer has; does nothing if it is down. */
    void remove(NodeId node, ConversationId id) throws IOException {
        Optional<Peer> peer = find(node);
        if (peer.isEmpty()) {
            return;
        }
        String path = NodeRoutes.PATH + "/" + id.value();
        try {
            require(request(peer.get(), path, SNAPSHOT_TIMEOUT).DELETE().build()).close();
        } catch (ConnectException e) {
            return; // its own sweeper removes it when it is up again
        }
    }

    /** A request that names the server it is for and carries the shared secret. */
    HttpRequest.Builder request(Peer node, String pathAndQuery, Duration timeout) {
        return HttpRequest.newBuilder(URI.create(node.address() + pathAndQuery))
                .timeout(timeout)
                .header(InternalAccess.NODE, node.id().value())
                .header("Authorization", BearerToken.header(secret));
    }

    /** The caller closes the body. */
    HttpResponse<InputStream> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for another server");
        }
    }

    /** A failed call in words. The messages of the HTTP client are often empty. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case ConnectException _ -> "the connection is refused";
            case HttpTimeoutException _ -> "there is no answer";
            default ->
                    failure.getMessage() == null
                            ? failure.getClass().getSimpleName()
                            : failure.getMessage();
        };
    }

    private InputStream require(HttpRequest request) throws IOException {
        HttpResponse<InputStream> response = send(request);
        if (response.statusCode() / 100 == 2) {
            return response.body();
        }
        response.body().close();
        throw new IOException(
                response.statusCode() == ErrorCode.MISDIRECTED.status()
                        ? "another server than the one that was called answered"
                        : "the server answered with status " + response.statusCode());
    }
}
