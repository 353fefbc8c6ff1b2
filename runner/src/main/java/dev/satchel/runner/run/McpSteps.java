package dev.satchel.runner.run;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.runner.agent.StepRecorder;
import dev.satchel.runner.mcp.McpServers;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** Writes what happens with the MCP servers of a run as lines; a server that fails is a step. */
record McpSteps(StepRecorder steps) implements McpServers.Listener {
    @Override
    public void log(LogLevel level, String message) throws IOException {
        steps.log(level, message);
    }

    @Override
    public void failed(String name, McpServer server, String message) throws IOException {
        ObjectNode shown = Json.MAPPER.createObjectNode().put("type", server.type());
        if (server.url() != null) {
            shown.put("url", server.url());
        }
        if (server.command() != null) {
            shown.put("command", server.command());
        }
        steps.failed("mcp_" + name, "mcp:" + name, shown, message);
    }
}
