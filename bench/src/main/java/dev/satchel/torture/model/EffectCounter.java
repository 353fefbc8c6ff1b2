package dev.satchel.torture.model;

import dev.satchel.http.Exchange;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * An MCP server with one tool, which counts its calls. What it has counted is outside of the model,
 * the sandbox and the workspace. Thread-safe.
 */
public final class EffectCounter implements AutoCloseable {
    /** The name of the server for agents, and of its tool for the model. */
    public static final String NAME = "counter";

    static final String TOOL = "mcp__counter__count";

    private static final String TOOLS =
            """
            {"tools": [{"name": "count", "description": "Counts an effect.",
                        "inputSchema": {"type": "object", "required": ["task", "effect"],
                                        "properties": {"task": {"type": "string"},
                                                       "effect": {"type": "string"}}}}]}
            """;

    private final HttpServer http;
    private final Map<String, List<String>> effects = new HashMap<>(); // guarded by itself

    public EffectCounter() throws IOException, InterruptedException {
        Router router = new Router().post("/mcp", this::handle);
        router.get("/mcp", exchange -> exchange.send(405)); // it sends nothing by itself
        router.delete("/mcp", exchange -> exchange.send(200));
        http = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + http.port() + "/mcp");
    }

    /** What the calls of a task have named, in their order. */
    public List<String> effects(String task) {
        synchronized (effects) {
            return List.copyOf(effects.getOrDefault(task, List.of()));
        }
    }

    @Override
    public void close() {
        http.close();
    }

    private void handle(Exchange exchange) throws IOException {
        JsonNode message = exchange.readLenientJson(JsonNode.class);
        if (!message.has("id")) {
            exchange.send(202);
            return;
        }
        exchange.json(
                200, Map.of("jsonrpc", "2.0", "id", message.get("id"), "result", result(message)));
    }

    private Object result(JsonNode message) {
        return switch (message.get("method").stringValue()) {
            case "initialize" ->
                    Map.of(
                            "protocolVersion", message.at("/params/protocolVersion"),
                            "capabilities", Map.of("tools", Map.of()),
                            "serverInfo", Map.of("name", NAME, "version", "1"));
            case "tools/list" -> Json.MAPPER.readTree(TOOLS);
            case "tools/call" -> count(message.at("/params/arguments"));
            default -> Map.of();
        };
    }

    private Object count(JsonNode arguments) {
        synchronized (effects) {
            effects.computeIfAbsent(arguments.get("task").stringValue(), _ -> new ArrayList<>())
                    .add(arguments.get("effect").stringValue());
        }
        return Map.of("content", List.of(Map.of("type", "text", "text", "counted")));
    }
}
