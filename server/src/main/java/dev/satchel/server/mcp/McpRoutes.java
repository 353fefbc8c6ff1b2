package dev.satchel.server.mcp;

import dev.satchel.http.BearerToken;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.PermittedHandler;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /mcp}. A token of a conversation allows calls of its tools; any other valid
 * credential allows only to list them.
 */
public final class McpRoutes {
    private static final long MAX_BODY = 1L << 20;

    private final McpTokens tokens;
    private final McpMethods methods;
    private final McpTools tools;
    private final PermittedHandler withoutSession;

    public McpRoutes(McpTokens tokens, McpTools tools, String version, Authentication access) {
        this.tokens = tokens;
        this.tools = tools;
        this.methods = new McpMethods(tools, version);
        this.withoutSession =
                access.requireCaller(
                        Permission.WRITE_CHATS, (exchange, _) -> answer(exchange, null));
    }

    public void addTo(Router router) {
        // A token of a chat stands for its owner, and needs no permission.
        router.post("/mcp", new PermittedHandler(withoutSession.permission(), this::handle));
    }

    private void handle(Exchange exchange) throws Exception {
        requireOwnOrigin(exchange);
        Optional<String> token =
                BearerToken.find(exchange).filter(value -> value.startsWith(McpTokens.PREFIX));
        if (token.isEmpty()) {
            withoutSession.handle(exchange);
            return;
        }
        McpSession session =
                tokens.find(token.get())
                        .orElseThrow(() -> BearerToken.unauthenticated("the token is not valid"));
        answer(exchange, session);
    }

    private void answer(Exchange exchange, @Nullable McpSession session)
            throws IOException, InterruptedException {
        JsonNode id = null;
        try {
            JsonRpcMessage message = JsonRpcMessage.parse(exchange.body(MAX_BODY).readAllBytes());
            id = message.id();
            ProtocolEra era = McpRequestValidator.check(exchange, message);
            if (message.expectsNoAnswer()) {
                exchange.send(202);
            } else if (message.method().equals("tools/call")) {
                call(exchange, era, message, session);
            } else {
                json(exchange, 200, message.result(methods.answer(era, message)));
            }
        } catch (McpException e) {
            json(exchange, e.status(), JsonRpcMessage.error(id, e));
        }
    }

    /** With a progress token, if the client accepts events, the response is a stream. */
    private void call(
            Exchange exchange,
            ProtocolEra era,
            JsonRpcMessage message,
            @Nullable McpSession session)
            throws IOException, InterruptedException, McpException {
        McpTools.Call call = tools.prepare(era, message.params(), session);
        Thread caller = Thread.currentThread();
        exchange.onDisconnect(caller::interrupt); // a disconnect cancels the call
        JsonNode progressToken = message.params().path("_meta").path("progressToken");
        boolean asked = progressToken.isString() || progressToken.isIntegralNumber();
        boolean takesEvents =
                exchange.header("Accept").filter(a -> a.contains("text/event-stream")).isPresent();
        if (!asked || !takesEvents) {
            json(exchange, 200, message.result(call.run()));
            return;
        }
        try (ProgressStream stream = new ProgressStream(exchange, progressToken)) {
            stream.answer(message.result(call.run()));
        }
    }

    private static void json(Exchange exchange, int status, ObjectNode body) {
        exchange.header("Cache-Control", "no-store");
        exchange.body(status, "application/json", Json.MAPPER.writeValueAsBytes(body));
    }

    /**
     * Programs send no origin; a page of another site must not call with the credentials of a user.
     */
    private static void requireOwnOrigin(Exchange exchange) {
        Optional<String> origin = exchange.header("Origin");
        if (origin.isPresent()
                && !origin.flatMap(McpRoutes::authority).equals(exchange.authority())) {
            throw new SatchelException(ErrorCode.FORBIDDEN, "this origin may not call");
        }
    }

    private static Optional<String> authority(String origin) {
        try {
            return Optional.ofNullable(new URI(origin).getAuthority());
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
