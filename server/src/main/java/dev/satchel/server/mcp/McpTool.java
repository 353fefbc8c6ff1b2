package dev.satchel.server.mcp;

import java.io.IOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A tool of {@code /mcp}. A refusal that the agent should read is a result, not an exception. */
interface McpTool {
    String name();

    /** For {@code tools/list}. */
    ObjectNode description();

    McpResult call(McpSession session, JsonNode arguments) throws IOException, InterruptedException;
}
