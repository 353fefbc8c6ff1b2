package dev.satchel.runner.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A transport that notices when the list of tools has changed, reads lists of tools before the SDK,
 * can cancel open calls, and takes the values of credentials out of what a server sends.
 */
final class ObservedTransport implements McpClientTransport {
    private static final String CANCELLED = "notifications/cancelled";

    private final McpClientTransport transport;
    private final UnaryOperator<String> redaction;
    private final ToolListReader toolLists;
    private final Runnable onToolsChanged;
    private final Set<Object> calls = ConcurrentHashMap.newKeySet();
    private final Set<Object> lists = ConcurrentHashMap.newKeySet();

    ObservedTransport(
            McpClientTransport transport,
            UnaryOperator<String> redaction,
            ToolListReader toolLists,
            Runnable onToolsChanged) {
        this.transport = transport;
        this.redaction = redaction;
        this.toolLists = toolLists;
        this.onToolsChanged = onToolsChanged;
    }

    /** Says to the server that the answers to all open calls are no longer wanted. */
    Mono<Void> cancelCalls(String reason) {
        return Flux.fromIterable(List.copyOf(calls))
                .concatMap(
                        id -> {
                            calls.remove(id);
                            Map<String, Object> params = Map.of("requestId", id, "reason", reason);
                            return transport.sendMessage(
                                    new JSONRPCNotification(CANCELLED, params));
                        })
                .then();
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return transport.connect(messages -> handler.apply(messages.mapNotNull(this::received)));
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        if (message instanceof JSONRPCRequest request) {
            switch (request.method()) {
                case McpSchema.METHOD_TOOLS_CALL -> calls.add(request.id());
                case McpSchema.METHOD_TOOLS_LIST -> lists.add(request.id());
                default -> {}
            }
        }
        return transport.sendMessage(message);
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> handler) {
        transport.setExceptionHandler(handler);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return transport.closeGracefully();
    }

    @Override
    public void close() {
        transport.close();
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return transport.unmarshalFrom(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return transport.protocolVersions();
    }

    /** The SDK would list all pages of tools at once, however many there are. */
    private @Nullable JSONRPCMessage received(JSONRPCMessage message) {
        return switch (message) {
            case JSONRPCNotification notification
                    when McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED.equals(
                            notification.method()) -> {
                onToolsChanged.run();
                yield null;
            }
            case JSONRPCNotification notification ->
                    new JSONRPCNotification(
                            notification.jsonrpc(),
                            notification.method(),
                            redacted(notification.params()));
            case JSONRPCRequest request ->
                    new JSONRPCRequest(
                            request.jsonrpc(),
                            request.method(),
                            request.id(),
                            redacted(request.params()));
            case JSONRPCResponse response -> {
                Object result = redacted(response.result());
                if (response.id() != null) {
                    calls.remove(response.id());
                    result = lists.remove(response.id()) ? toolLists.readable(result) : result;
                }
                yield new JSONRPCResponse(
                        response.jsonrpc(), response.id(), result, redacted(response.error()));
            }
            default -> message;
        };
    }

    private JSONRPCResponse.@Nullable JSONRPCError redacted(
            JSONRPCResponse.@Nullable JSONRPCError error) {
        return error == null
                ? null
                : new JSONRPCResponse.JSONRPCError(
                        error.code(),
                        redaction.apply(String.valueOf(error.message())),
                        redacted(error.data()));
    }

    private @Nullable Object redacted(@Nullable Object value) {
        return switch (value) {
            case String text -> redaction.apply(text);
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((key, inner) -> copy.put(redacted(key), redacted(inner)));
                yield copy;
            }
            case List<?> list -> list.stream().map(this::redacted).toList();
            case null, default -> value;
        };
    }
}
