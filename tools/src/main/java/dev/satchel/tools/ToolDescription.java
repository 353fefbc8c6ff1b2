package dev.satchel.tools;

import dev.satchel.protocol.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool as a model sees it: its name, its aliases, and a JSON schema of its arguments, written as
 * plain JSON.
 */
public record ToolDescription(
        String name, List<String> aliases, String description, String schema) {
    public ToolDescription {
        aliases = List.copyOf(aliases);
    }

    /** A new copy of the schema. */
    public ObjectNode parameters() {
        return (ObjectNode) Json.MAPPER.readTree(schema);
    }
}
