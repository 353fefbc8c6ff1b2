package dev.satchel.runner.tool;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What came of a call: text for the model, detail for the step row, and images the model should
 * see.
 */
public record ToolResult(boolean succeeded, String text, JsonNode detail, List<Image> images) {
    public ToolResult {
        images = List.copyOf(images);
    }

    public record Image(String mimeType, String base64) {}
}
