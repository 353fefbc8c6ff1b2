package dev.satchel.runner.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig.Answer;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/**
 * A tool of an MCP server, named {@code mcp:<server>:<tool>}. What a server says about the effects
 * of a tool is not trusted: each is treated as if it had some.
 */
public final class McpServerTool extends CheckedTool<ToolContext> {
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final McpConnection connection;
    private final String tool;

    McpServerTool(McpConnection connection, String tool, String description, String schema) {
        super(
                new ToolDescription(
                        "mcp:" + connection.name() + ":" + tool, List.of(), description, schema));
        this.connection = connection;
        this.tool = tool;
    }

    /** The person has answered what the server asked in a call. */
    public void remember(Elicitation asked, Answer answer) {
        connection.remember(asked, answer);
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ToolContext context)
            throws IOException, InterruptedException {
        try {
            McpConnection.Answered answered =
                    connection.call(
                            tool,
                            Json.MAPPER.convertValue(arguments.node(), OBJECT),
                            context.output());
            Elicitation asked = answered.asked();
            return asked == null
                    ? new McpResultReader(connection, tool, context).read(answered.result())
                    : asked.result(connection.name());
        } catch (McpServerException e) {
            return ToolResult.failure(
                    "The MCP server "
                            + connection.name()
                            + " did not complete the call: "
                            + e.message()
                            + ". The call was not repeated, and it may have had effects.");
        }
    }
}
