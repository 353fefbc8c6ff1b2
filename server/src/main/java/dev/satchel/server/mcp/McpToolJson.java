package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Puts descriptions of tools together. */
final class McpToolJson {
    private McpToolJson() {}

    static ObjectNode reading(String name, String description, JsonNode schema) {
        ObjectNode tool = of(name, description, schema);
        tool.putObject("annotations").put("readOnlyHint", true).put("openWorldHint", false);
        return tool;
    }

    /** Makes something, breaks nothing, and may be repeated. */
    static ObjectNode adding(String name, String description, JsonNode schema) {
        ObjectNode tool = of(name, description, schema);
        tool.putObject("annotations")
                .put("readOnlyHint", false)
                .put("destructiveHint", false)
                .put("idempotentHint", true)
                .put("openWorldHint", false);
        return tool;
    }

    private static ObjectNode of(String name, String description, JsonNode schema) {
        ObjectNode tool = Json.MAPPER.createObjectNode();
        tool.put("name", name);
        tool.put("description", description);
        tool.set("inputSchema", schema);
        return tool;
    }
}
