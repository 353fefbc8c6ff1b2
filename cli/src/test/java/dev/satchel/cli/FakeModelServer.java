package dev.satchel.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.client.ClientJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The APIs of Anthropic and OpenAI at one address. Each answers with the name of the model, unless
 * the test decides what OpenAI replies, and when.
 */
final class FakeModelServer implements AutoCloseable {
    private static final int OVERLOADED = 529;

    private final HttpServer http;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final LinkedTransferQueue<String> replies = new LinkedTransferQueue<>();
    private volatile boolean anthropicIsOverloaded;
    private volatile boolean isScripted;
    private final Map<String, Map<String, ?>> offered = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Semaphore asked = new Semaphore(0);

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

    /** From now on each call of OpenAI waits for a reply of the test. */
    void waitForReplies() {
        isScripted = true;
    }

    /** Returns when the next reply is requested. */
    void awaitCall() throws InterruptedException {
        asked.acquire();
    }

    /** The body of each request for a reply. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    void reply(String text) {
        replies.add(chunk("{\"role\": \"assistant\", \"content\": \"" + text + "\"}", "stop"));
    }

    /** Ends a call whose caller is gone, so that it takes no reply of a later one. */
    void endLostCall() throws InterruptedException {
        replies.transfer("");
    }

    /** Replies with a call of a tool. */
    void call(String tool, Map<String, ?> arguments) {
        String json = ClientJson.MAPPER.writeValueAsString(arguments);
        String function =
                ClientJson.MAPPER.writeValueAsString(Map.of("name", tool, "arguments", json));
        replies.add(
                chunk(
                        "{\"role\": \"assistant\", \"tool_calls\": [{\"index\": 0, \"id\": \"a\","
                                + (" \"type\": \"function\", \"function\": " + function + "}]}"),
                        "tool_calls"));
    }

    /** The next request that offers this tool is answered with a call of it. */
    void callWhenOffered(String tool, Map<String, ?> arguments) {
        offered.put(tool, arguments);
    }

    private static String chunk(String delta, String reason) {
        return """
               {"id": "c", "object": "chat.completion.chunk", "model": "m", \
               "choices": [{"index": 0, "delta": %s}]}
               {"id": "c", "object": "chat.completion.chunk", "model": "m", \
               "choices": [{"index": 0, "delta": {}, "finish_reason": "%s"}]}
               [DONE]
               """
                .formatted(delta, reason);
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
        if (!isScripted) {
            Optional<String> tool = takeOffered(requests.getLast());
            if (tool.isEmpty()) {
                reply("I am " + model + ".");
            }
        }
        try {
            respond(exchange, 200, "text/event-stream", events(replies.take()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Optional<String> takeOffered(String request) {
        Optional<String> tool =
                offered.keySet().stream()
                        .filter(name -> request.contains("\"" + name + "\""))
                        .findFirst();
        tool.ifPresent(name -> call(name, Objects.requireNonNull(offered.remove(name))));
        return tool;
    }

    private String record(HttpExchange exchange, @Nullable String key) throws IOException {
        JsonNode body = ClientJson.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        requests.add(body.toString());
        asked.release();
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
