package dev.satchel.runner.tool;

import java.io.IOException;
import tools.jackson.databind.JsonNode;

/**
 * One thing an agent may do. A refusal the agent should read is a failed {@link ToolResult}, not an
 * exception.
 */
public interface Tool {
    ToolDescription description();

    ToolResult call(JsonNode arguments, ToolContext context)
            throws IOException, InterruptedException;
}
