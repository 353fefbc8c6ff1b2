package dev.satchel.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.client.ClientJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The APIs of Anthropic and OpenAI at one address. Each answers with the name of the model. */
final class FakeModelServer implements AutoCloseable {
    private static final int OVERLOADED = 529;

    private final HttpServer http;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile boolean anthropicIsOverloaded;

    FakeModelServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/v1/models", this::models);
        http.createContext("/v1/messages", this::anthropic);
        http.createContext("/v1/chat/completions", this::openAi);
        http.start();
    }

    /** A request for an answer; {@code key} is null if it had none. */
    record Call(String path, String model, @Nullable String key) {}

    int port() {
        return http.getAddress().getPort();
    }

    List<Call> calls() {
        return List.copyOf(calls);
    }

    void overloadAnthropic() {
        anthropicIsOverloaded = true;
    }

    private void models(HttpExchange exchange) throws IOException {
        String names =
                List.of("qwen3", "gpt-5", "gpt-5-mini", "claude-opus-4-6", "claude-sonnet-4-6")
                        .stream()
                        .map("{\"id\": \"%s\"}"::formatted)
                        .toList()
                        .toString();
        respond(exchange, 200, "application/json", "{\"data\": " + names + "}");
    }

    private void anthropic(HttpExchange exchange) throws IOException {
        String model = record(exchange, exchange.getRequestHeaders().getFirst("x-api-key"));
        if (anthropicIsOverloaded) {
            exchange.getResponseHeaders().add("Retry-After", "0");
            respond(
                    exchange,
                    OVERLOADED,
                    "application/json",
                    """
                    {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
                    """);
            return;
        }
        respond(
                exchange,
                200,
                "text/event-stream",
                events(
                        """
                        {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", \
                        "content": [], "model": "%s", "usage": {"input_tokens": 9, "output_tokens": 1}}}
                        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
                        {"type": "content_block_delta", "index": 0, \
                        "delta": {"type": "text_delta", "text": "I am %s."}}
                        {"type": "content_block_stop", "index": 0}
                        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, \
                        "usage": {"output_tokens": 5}}
                        {"type": "message_stop"}
                        """
                                .formatted(model, model)));
    }

    private void openAi(HttpExchange exchange) throws IOException {
        String model = record(exchange, exchange.getRequestHeaders().getFirst("Authorization"));
        respond(
                exchange,
                200,
                "text/event-stream",
                events(
                        """
                        {"id": "c", "object": "chat.completion.chunk", "model": "%s", \
                        "choices": [{"index": 0, "delta": {"role": "assistant", "content": "I am %s."}}]}
                        {"id": "c", "object": "chat.completion.chunk", "model": "%s", \
                        "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
                        [DONE]
                        """
                                .formatted(model, model, model)));
    }

    private String record(HttpExchange exchange, @Nullable String key) throws IOException {
        JsonNode body = ClientJson.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        String model = body.get("model").stringValue();
        calls.add(new Call(exchange.getRequestURI().getPath(), model, key));
        return model;
    }

    /** Each line as a server-sent event. */
    private static String events(String lines) {
        StringBuilder events = new StringBuilder();
        lines.lines().forEach(line -> events.append("data: ").append(line).append("\n\n"));
        return events.toString();
    }

    private static void respond(HttpExchange exchange, int status, String type, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
