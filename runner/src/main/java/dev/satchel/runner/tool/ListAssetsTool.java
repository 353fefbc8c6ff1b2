package dev.satchel.runner.tool;

import dev.satchel.protocol.Json;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds durable files of the tenant, for {@code stage_asset}. */
final class ListAssetsTool extends CheckedTool<ToolContext> {
    private static final List<String> SHOWN =
            List.of("id", "name", "mimeType", "size", "createdAt");

    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "search": {"type": "string", "description": "Only assets whose name contains this"},
               "cursor": {"type": "string", "description": "The nextCursor of the page before"}}}
            """;

    ListAssetsTool() {
        super(
                new ToolDescription(
                        "list_assets",
                        List.of(),
                        "Lists the assets that stage_asset can copy into the workspace, newest"
                                + " first, 50 at a time.",
                        SCHEMA));
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        String search = Objects.requireNonNullElse(arguments.optionalString("search"), "");
        String cursor = Objects.requireNonNullElse(arguments.optionalString("cursor"), "");
        ObjectNode page = shown(list(search, cursor, context));
        return ToolResult.success(page.toString(), page);
    }

    /** What went wrong inside is not the agent's business, and may name hosts and tokens. */
    private static JsonNode list(String search, String cursor, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        try {
            return context.assets().list(search, cursor);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) {
            throw new InvalidArgumentException("The assets cannot be listed.");
        }
    }

    private static ObjectNode shown(JsonNode page) {
        ObjectNode shown = Json.MAPPER.createObjectNode();
        ArrayNode assets = shown.putArray("assets");
        for (JsonNode asset : page.path("assets")) {
            ObjectNode entry = assets.addObject();
            SHOWN.stream().filter(asset::has).forEach(name -> entry.set(name, asset.get(name)));
        }
        String next = page.path("nextCursor").stringValue("");
        if (!next.isEmpty()) {
            shown.put("nextCursor", next);
        }
        return shown;
    }
}
