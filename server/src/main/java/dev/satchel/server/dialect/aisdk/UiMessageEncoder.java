package dev.satchel.server.dialect.aisdk;

import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.ProducedFile;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The AI SDK's UI message stream, version 1, with the chunks that its versions 6 and 7 both know.
 * The message has the run's id: a stream told again replaces it instead of adding to it.
 */
public final class UiMessageEncoder implements EventEncoder {
    @Override
    public List<Object> begins(String chatId, String runId) {
        Map<String, Object> ids = JsonObjects.of("chatId", chatId, "runId", runId);
        return List.of(
                chunk("start", "messageId", runId, "messageMetadata", ids), chunk("start-step"));
    }

    @Override
    public List<Object> logs(JsonNode line) {
        return List.of(chunk("data-log", "data", line, "transient", true));
    }

    @Override
    public List<Object> textBegins(int part) {
        return List.of(chunk("text-start", "id", id(part)));
    }

    @Override
    public List<Object> textGrows(int part, String delta) {
        return List.of(chunk("text-delta", "id", id(part), "delta", delta));
    }

    @Override
    public List<Object> textEnds(int part) {
        return List.of(chunk("text-end", "id", id(part)));
    }

    @Override
    public List<Object> stepBegins(String id, String name, JsonNode args) {
        return List.of(tool("tool-input-available", id, "toolName", name, "input", args));
    }

    @Override
    public List<Object> stepSucceeds(String id, JsonNode result) {
        return List.of(tool("tool-output-available", id, "output", result));
    }

    @Override
    public List<Object> stepFails(String id, String error) {
        return List.of(tool("tool-output-error", id, "errorText", error));
    }

    /** The chunk has no place for a name but among what a provider adds. */
    @Override
    public List<Object> handsBack(ProducedFile file) {
        Map<String, Object> more =
                JsonObjects.of("id", file.id(), "filename", file.name(), "size", file.size());
        return List.of(
                chunk(
                        "file",
                        "url",
                        file.url(),
                        "mediaType",
                        file.mimeType(),
                        "providerMetadata",
                        Map.of("satchel", more)));
    }

    @Override
    public List<Object> succeeds(String messageId) {
        return List.of(
                chunk("finish-step"),
                chunk(
                        "finish",
                        "finishReason",
                        "stop",
                        "messageMetadata",
                        Map.of("messageId", messageId)));
    }

    @Override
    public List<Object> isCancelled(String reason) {
        return List.of(chunk("abort", "reason", reason));
    }

    @Override
    public List<Object> fails(String code, String message) {
        return List.of(chunk("error", "errorText", message));
    }

    private static String id(int part) {
        return "text-" + part;
    }

    /** The tools are the sandbox's own: the client shall neither know nor run them. */
    private static Map<String, Object> tool(String type, String id, Object... more) {
        Map<String, Object> chunk = chunk(type, "toolCallId", id);
        chunk.putAll(JsonObjects.of(more));
        chunk.put("dynamic", true);
        chunk.put("providerExecuted", true);
        return chunk;
    }

    private static Map<String, Object> chunk(String type, Object... more) {
        Map<String, Object> chunk = JsonObjects.of("type", type);
        chunk.putAll(JsonObjects.of(more));
        return chunk;
    }
}
