package dev.satchel.runner.tool;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the model is told of a tool: its name, other names it answers to, and a JSON schema of its
 * arguments.
 */
public record ToolDescription(
        String name, List<String> aliases, String description, ObjectNode parameters) {
    public ToolDescription {
        aliases = List.copyOf(aliases);
    }
}
