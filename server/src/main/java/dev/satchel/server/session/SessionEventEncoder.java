package dev.satchel.server.session;

import dev.satchel.http.EventStream;
import dev.satchel.protocol.Json;
import dev.satchel.server.run.RunLogLine;
import dev.satchel.server.runlog.RunLogStreamer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A run's lines in the words of agent servers: {@code message} events in the shape of their SDK, an
 * {@code error} if there is one, and last, always and once, {@code done}.
 */
final class SessionEventEncoder implements RunLogStreamer.Sink {
    private final String session;
    private final boolean partial;
    private final EventStream events;

    SessionEventEncoder(String session, boolean partial, EventStream events) {
        this.session = session;
        this.partial = partial;
        this.events = events;
    }

    @Override
    public void lines(List<RunLogLine> lines) throws IOException {
        for (RunLogLine line : lines) {
            send(line.type(), Json.MAPPER.readTree(line.body()));
        }
    }

    @Override
    public void quiet() throws IOException {
        events.ping();
    }

    private void send(String type, JsonNode line) throws IOException {
        switch (type) {
            case "step" -> step(line);
            case "delta" -> delta(line);
            case "result" -> result(line);
            case "error" -> send("error", Map.of("error", text(line, "message")));
            case "end" -> send("done", Map.of("sessionId", session));
            default -> {} // where the run belongs, and what only its trace shows
        }
    }

    private void step(JsonNode line) throws IOException {
        boolean begins = text(line, "status").equals("running");
        Map<String, Object> block = new LinkedHashMap<>();
        if (begins) {
            block.put("type", "tool_use");
            block.put("id", text(line, "id"));
            block.put("name", text(line, "name"));
            block.put("input", line.has("args") ? line.get("args") : Map.of());
        } else {
            boolean failed = text(line, "status").equals("failed");
            JsonNode outcome = line.path(failed ? "error" : "result");
            block.put("type", "tool_result");
            block.put("tool_use_id", text(line, "id"));
            block.put("content", outcome.isString() ? outcome.stringValue() : outcome.toString());
            block.put("is_error", failed);
        }
        message(begins ? "assistant" : "user", block);
    }

    private void delta(JsonNode line) throws IOException {
        if (partial) {
            Map<String, Object> delta = Map.of("type", "text_delta", "text", text(line, "text"));
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("type", "content_block_delta");
            event.put("index", 0);
            event.put("delta", delta);
            send("message", Map.of("type", "stream_event", "event", event));
        }
    }

    private void result(JsonNode line) throws IOException {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "text");
        block.put("text", text(line, "message"));
        message("assistant", block);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("type", "result");
        result.put("subtype", "success");
        result.put("is_error", false);
        result.put("result", text(line, "message"));
        result.put("session_id", session);
        send("message", result);
    }

    private void message(String role, Map<String, Object> block) throws IOException {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("type", "message");
        message.put("role", role);
        message.put("content", List.of(block));
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", role);
        event.put("message", message);
        event.put("session_id", session);
        send("message", event);
    }

    private void send(String name, Map<String, Object> data) throws IOException {
        events.send(name, Json.MAPPER.writeValueAsString(data));
    }

    private static String text(JsonNode line, String field) {
        return line.path(field).stringValue("");
    }
}
