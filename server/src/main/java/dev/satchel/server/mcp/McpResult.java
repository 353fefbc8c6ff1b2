package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.server.audit.AuditEvent.Outcome;
import dev.satchel.tools.ToolResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The result of a tool call: what the agent gets, and the detail for the audit log. */
record McpResult(
        Outcome outcome,
        String text,
        List<ToolResult.Image> images,
        @Nullable ObjectNode structured,
        Map<String, String> detail) {
    McpResult {
        images = List.copyOf(images);
        detail = Map.copyOf(detail);
    }

    static McpResult text(String text, List<ToolResult.Image> images) {
        return new McpResult(Outcome.ALLOWED, text, images, null, Map.of());
    }

    /** Structured content, and the same as text. */
    static McpResult of(ObjectNode value) {
        return new McpResult(
                Outcome.ALLOWED, Json.MAPPER.writeValueAsString(value), List.of(), value, Map.of());
    }

    static McpResult refused(Outcome outcome, String code, String error) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("error", error);
        body.put("code", code);
        return new McpResult(
                outcome,
                Json.MAPPER.writeValueAsString(body),
                List.of(),
                null,
                Map.of("code", code));
    }

    McpResult noting(Map<String, String> more) {
        return new McpResult(outcome, text, images, structured, more);
    }

    ObjectNode json(ProtocolEra era) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        if (era == ProtocolEra.MODERN) {
            result.put("resultType", "complete");
        }
        ArrayNode content = result.putArray("content");
        content.addObject().put("type", "text").put("text", text);
        for (ToolResult.Image image : images) {
            content.addObject()
                    .put("type", "image")
                    .put("data", image.base64())
                    .put("mimeType", image.mimeType());
        }
        if (structured != null) {
            result.set("structuredContent", structured);
        }
        result.put("isError", outcome != Outcome.ALLOWED);
        return result;
    }
}
