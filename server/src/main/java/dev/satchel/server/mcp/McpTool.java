package dev.satchel.server.mcp;

import java.io.IOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One tool of a conversation. A refusal that the agent should read is a result, no exception. */
interface McpTool {
    String name();

    /** As {@code tools/list} shows it. */
    ObjectNode description();

    McpResult call(McpSession session, JsonNode arguments) throws IOException, InterruptedException;
}
