package dev.satchel.server.mcp;

import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.http.paging.PageCursor;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.protocol.Json;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.audit.AuditEvent.Outcome;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code list_assets}: the tenant's durable files, newest first. */
final class McpListAssetsTool implements McpTool {
    private static final int LIMIT = 50;
    private static final int MAX_SEARCH = 255;

    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "search": {"type": "string", "description": "Only assets whose name contains this"},
               "cursor": {"type": "string", "description": "The nextCursor of the page before"}}}
            """;

    private final AssetService assets;

    McpListAssetsTool(AssetService assets) {
        this.assets = assets;
    }

    @Override
    public String name() {
        return "list_assets";
    }

    @Override
    public ObjectNode description() {
        return McpToolJson.reading(
                name(),
                "Lists the assets that stage_asset can copy, newest first, 50 at a time.",
                Json.MAPPER.readTree(SCHEMA));
    }

    @Override
    public McpResult call(McpSession session, JsonNode arguments) {
        try {
            String cursor = arguments.path("cursor").stringValue("");
            PageCursor from = cursor.isEmpty() ? PageCursor.START : PageCursor.parse(cursor);
            List<Asset> page =
                    assets.page(
                            session.tenant(),
                            Fields.atMost(
                                    "search", arguments.path("search").stringValue(""), MAX_SEARCH),
                            new PageRequest(from, LIMIT));
            return McpResult.of(view(page));
        } catch (SatchelException e) {
            return McpResult.refused(Outcome.DENIED, "invalid_request", e.text());
        }
    }

    private static ObjectNode view(List<Asset> page) {
        ObjectNode view = Json.MAPPER.createObjectNode();
        ArrayNode list = view.putArray("assets");
        for (Asset asset : page) {
            list.addObject()
                    .put("id", asset.id().value())
                    .put("name", asset.file().name())
                    .put("mimeType", asset.file().mimeType())
                    .put("size", asset.file().size())
                    .put("createdAt", asset.createdAt());
        }
        if (page.size() == LIMIT) {
            Asset last = page.getLast();
            view.put("nextCursor", new PageCursor(last.createdAt(), last.id().value()).text());
        }
        return view;
    }
}
