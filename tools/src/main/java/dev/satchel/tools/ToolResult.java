package dev.satchel.tools;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * The outcome of a tool call: text for the model, detail for the step row, and images for the
 * model.
 */
public record ToolResult(boolean succeeded, String text, JsonNode detail, List<Image> images) {
    public ToolResult {
        images = List.copyOf(images);
    }

    public static ToolResult success(String text) {
        return success(text, StringNode.valueOf(text));
    }

    public static ToolResult success(String text, JsonNode detail) {
        return new ToolResult(true, text, detail, List.of());
    }

    /** A refusal or an error that the agent should read and act on. */
    public static ToolResult failure(String text) {
        return failure(text, StringNode.valueOf(text));
    }

    public static ToolResult failure(String text, JsonNode detail) {
        return new ToolResult(false, text, detail, List.of());
    }

    public record Image(String mimeType, String base64) {}
}
