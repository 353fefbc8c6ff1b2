package dev.satchel.server.workspace.remote;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Handler;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.PermittedHandler;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.node.InternalAccess;
import dev.satchel.server.node.Peer;
import dev.satchel.server.workspace.SessionAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards requests for a session's files to the server that has them on its disk, and passes its
 * response on. If that server does not answer, the request is handled here: a read returns the
 * newest snapshot, a change brings the workspace here. A forwarded request is never forwarded
 * again.
 */
public final class FileRequestForwarding implements SessionAccess {
    private static final Logger LOG = LoggerFactory.getLogger(FileRequestForwarding.class);

    /** Whose request is forwarded; only accepted together with the servers' shared secret. */
    private static final String TENANT = "Satchel-Tenant";

    /** The caller in the tenant; a server of the version before does not send it. */
    private static final String CALLER = "Satchel-Caller";

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SLOW_READ_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(5);
    private static final long MAX_BODY_BYTES = 140L * 1024 * 1024;
    private static final int BUFFER = 64 * 1024;

    private static final List<String> REQUEST_HEADERS =
            List.of(
                    "Accept",
                    "Content-Type",
                    "If-None-Match",
                    "If-Range",
                    "Last-Event-ID",
                    "Range",
                    "X-Request-Id");

    /** They belong to one connection, or are set by this server as well. */
    private static final Set<String> RESPONSE_HEADERS_LEFT_OUT =
            Set.of(
                    "connection",
                    "content-length",
                    "content-type",
                    "date",
                    "keep-alive",
                    "transfer-encoding",
                    "x-request-id");

    private final Authentication access;
    private final ClusterWorkspaces workspaces;
    private final NodeClient nodes;
    private final InternalAccess internal;

    public FileRequestForwarding(
            Authentication access,
            ClusterWorkspaces workspaces,
            NodeClient nodes,
            InternalAccess internal) {
        this.access = access;
        this.workspaces = workspaces;
        this.nodes = nodes;
        this.internal = internal;
    }

    @Override
    public PermittedHandler requireCaller(Permission permission, CallerHandler handler) {
        return requireCaller(permission, handler, READ_TIMEOUT);
    }

    @Override
    public PermittedHandler requireCallerOfSlowRead(Permission permission, CallerHandler handler) {
        return requireCaller(permission, handler, SLOW_READ_TIMEOUT);
    }

    private PermittedHandler requireCaller(
            Permission permission, CallerHandler handler, Duration readTimeout) {
        Handler fromClient =
                access.requireCaller(
                        permission,
                        (exchange, caller) -> {
                            if (!forward(exchange, caller, readTimeout)) {
                                handler.handle(exchange, caller);
                            }
                        });
        return new PermittedHandler(
                permission,
                exchange -> {
                    Optional<String> tenant = exchange.header(TENANT);
                    if (tenant.isEmpty()) {
                        fromClient.handle(exchange);
                        return;
                    }
                    internal.require(exchange);
                    handler.handle(exchange, forwarded(exchange, new TenantId(tenant.get())));
                });
    }

    private static Caller forwarded(Exchange exchange, TenantId tenant) {
        return exchange.header(CALLER)
                .map(caller -> Caller.ofForwarded(tenant, caller))
                .orElseGet(() -> Caller.owner(tenant));
    }

    /** Returns false if the request is to be handled here. */
    private boolean forward(Exchange exchange, Caller caller, Duration readTimeout)
            throws IOException {
        String id = exchange.pathParameter("id");
        if (!ConversationId.isValid(id) || exchange.query("at").isPresent()) {
            return false; // snapshots are in the object store, which all servers share
        }
        Optional<String> target = target(exchange);
        Optional<Peer> home = workspaces.homeElsewhere(new ConversationId(id));
        if (target.isEmpty() || home.isEmpty()) {
            return false;
        }
        Peer peer = home.get();
        boolean read = exchange.method().equals("GET") || exchange.isHead();
        Optional<HttpResponse<InputStream>> response =
                read
                        ? read(exchange, peer, target.get(), caller, readTimeout)
                        : change(exchange, peer, target.get(), caller);
        if (response.isEmpty()) {
            return false;
        }
        try (InputStream body = response.get().body()) {
            respond(exchange, response.get(), body, read);
        }
        return true;
    }

    private Optional<HttpResponse<InputStream>> read(
            Exchange exchange, Peer peer, String target, Caller caller, Duration timeout) {
        try {
            if (timeout.compareTo(READ_TIMEOUT) > 0) {
                nodes.requireAnswer(peer); // a server that is down is noticed soon
            }
            HttpResponse<InputStream> response =
                    nodes.send(
                            request(exchange, nodes.request(peer, target, timeout), caller)
                                    .method(exchange.method(), BodyPublishers.noBody())
                                    .build());
            if (response.statusCode() != ErrorCode.MISDIRECTED.status()) {
                return Optional.of(response);
            }
            response.body().close();
            LOG.warn("another server answers at the address of nodeId={}", peer.id().value());
        } catch (IOException e) {
            LOG.warn("the server of a workspace does not answer path={}", exchange.path(), e);
        }
        return Optional.empty();
    }

    /** Once the request is sent, the other server may have made the change. */
    private Optional<HttpResponse<InputStream>> change(
            Exchange exchange, Peer peer, String target, Caller caller) throws IOException {
        try {
            nodes.requireAnswer(peer);
        } catch (IOException e) {
            LOG.warn("the server of a workspace does not answer path={}", exchange.path(), e);
            return Optional.empty();
        }
        ForwardedRequestBody body = new ForwardedRequestBody(exchange.body(MAX_BODY_BYTES));
        HttpRequest request =
                request(exchange, nodes.request(peer, target, CHANGE_TIMEOUT), caller)
                        .method(exchange.method(), body.publisher(exchange))
                        .build();
        try {
            return Optional.of(nodes.send(request));
        } catch (IOException e) {
            body.throwRefusal();
            throw e;
        }
    }

    private static HttpRequest.Builder request(
            Exchange exchange, HttpRequest.Builder request, Caller caller) {
        request.header(TENANT, caller.tenant().value());
        request.header(CALLER, caller.forwarded());
        for (String name : REQUEST_HEADERS) {
            exchange.header(name).ifPresent(value -> request.header(name, value));
        }
        return request;
    }

    /** Empty for a target that is no path, or has an invalid escape: it is refused here. */
    private static Optional<String> target(Exchange exchange) {
        String target = escaped(exchange.pathAndQuery());
        try {
            URI _ = new URI(target);
            return target.startsWith("/") ? Optional.of(target) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Percent-encodes the characters that {@link URI} does not accept. */
    private static String escaped(String target) {
        StringBuilder escaped = new StringBuilder(target.length());
        for (byte b : target.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c > ' ' && c < 0x7f && "\"<>[\\]^`{|}".indexOf(c) < 0) {
                escaped.append(c);
            } else {
                escaped.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return escaped.toString();
    }

    private static void respond(
            Exchange exchange, HttpResponse<InputStream> response, InputStream body, boolean read)
            throws IOException {
        for (Map.Entry<String, List<String>> header : response.headers().map().entrySet()) {
            if (!RESPONSE_HEADERS_LEFT_OUT.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                header.getValue().forEach(value -> exchange.header(header.getKey(), value));
            }
        }
        Optional<String> type = response.headers().firstValue("Content-Type");
        if (type.isEmpty()) {
            exchange.send(response.statusCode());
        } else if (read) {
            stream(exchange, response, type.get(), body);
        } else {
            exchange.body(response.statusCode(), type.get(), body.readAllBytes());
        }
    }

    /** Closes only a whole body, so that one that was cut short is recognized. */
    private static void stream(
            Exchange exchange, HttpResponse<InputStream> response, String type, InputStream body)
            throws IOException {
        OptionalLong length = response.headers().firstValueAsLong("Content-Length");
        exchange.onDisconnect(() -> closeQuietly(body)); // ends a wait for the next bytes
        OutputStream out =
                length.isPresent()
                        ? exchange.stream(response.statusCode(), type, length.getAsLong())
                        : exchange.stream(response.statusCode(), type);
        byte[] buffer = new byte[BUFFER];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            out.write(buffer, 0, count);
        }
        out.close();
    }

    private static void closeQuietly(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("cannot close a forwarded response", e);
        }
    }
}
