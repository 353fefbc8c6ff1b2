package dev.satchel.runner.tool;

import dev.satchel.protocol.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Makes descriptions from a schema written as plain JSON. */
final class ToolDescriptions {
    private ToolDescriptions() {}

    /** The properties and required names make up the schema of the arguments. */
    static ToolDescription of(
            String name, List<String> aliases, String description, String schema) {
        return new ToolDescription(
                name, aliases, description, (ObjectNode) Json.MAPPER.readTree(schema));
    }
}
