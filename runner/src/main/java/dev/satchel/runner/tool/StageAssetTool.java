package dev.satchel.runner.tool;

import dev.satchel.filesystem.FileStat;
import dev.satchel.protocol.Json;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Copies a durable file of the tenant into the workspace. */
final class StageAssetTool extends CheckedTool<ToolContext> {
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "id": {"type": ["string", "integer"], "description": "The asset's id, as list_assets returns it"}},
             "required": ["id"]}
            """;

    StageAssetTool() {
        super(
                new ToolDescription(
                        "stage_asset",
                        List.of(),
                        "Copies an asset into the workspace's staged/ directory and returns the"
                                + " path, for view, grep and sh.",
                        SCHEMA));
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        String id = id(arguments);
        PathArgument staged = PathArgument.parse(stage(id, context));
        FileStat stat = onPath(staged, () -> context.workspace().stat(staged.path()));
        ObjectNode detail = Json.MAPPER.createObjectNode();
        detail.put("path", staged.given());
        detail.put("filename", staged.path().name());
        detail.put("size", stat.size());
        detail.put("assetId", id);
        detail.put("staged", true);
        return ToolResult.success(detail.toString(), detail);
    }

    private static String id(ToolArguments arguments) throws InvalidArgumentException {
        JsonNode id = arguments.find("id");
        if (id == null) {
            throw new InvalidArgumentException("id is required");
        }
        boolean wellFormed = id.isIntegralNumber() || (id.isString() && !id.asString().isBlank());
        if (!wellFormed) {
            throw new InvalidArgumentException("id must be an asset's id");
        }
        return id.asString();
    }

    /** What went wrong inside is not the agent's business, and may name hosts and tokens. */
    private static String stage(String id, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        try {
            return context.assets().stage(id);
        } catch (NoSuchFileException _) {
            throw new InvalidArgumentException("Asset " + id + " does not exist.");
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) {
            throw new InvalidArgumentException("Asset " + id + " cannot be staged.");
        }
    }
}
