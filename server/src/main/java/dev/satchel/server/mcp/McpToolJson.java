package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates the descriptions of tools for {@code tools/list}. */
final class McpToolJson {
    private McpToolJson() {}

    static ObjectNode reading(String name, String description, JsonNode schema) {
        ObjectNode tool = of(name, description, schema);
        tool.putObject("annotations").put("readOnlyHint", true).put("openWorldHint", false);
        return tool;
    }

    /** For a tool that creates something, destroys nothing and can be repeated. */
    static ObjectNode adding(String name, String description, JsonNode schema) {
        ObjectNode tool = of(name, description, schema);
        tool.putObject("annotations")
                .put("readOnlyHint", false)
                .put("destructiveHint", false)
                .put("idempotentHint", true)
                .put("openWorldHint", false);
        return tool;
    }

    /** For a tool with effects that cannot be taken back. */
    static ObjectNode acting(String name, String description, JsonNode schema) {
        ObjectNode tool = of(name, description, schema);
        tool.putObject("annotations")
                .put("readOnlyHint", false)
                .put("destructiveHint", true)
                .put("idempotentHint", false)
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
