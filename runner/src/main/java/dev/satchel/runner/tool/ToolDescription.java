package dev.satchel.runner.tool;

import dev.satchel.protocol.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the model is told of a tool: its name, other names it answers to, and a JSON schema of its
 * arguments, written as plain JSON.
 */
public record ToolDescription(
        String name, List<String> aliases, String description, String schema) {
    public ToolDescription {
        aliases = List.copyOf(aliases);
    }

    /** The schema, for the caller to keep. Read only when asked for: most starts never do. */
    public ObjectNode parameters() {
        return (ObjectNode) Json.MAPPER.readTree(schema);
    }
}
