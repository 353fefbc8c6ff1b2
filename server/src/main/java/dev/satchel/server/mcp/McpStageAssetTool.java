package dev.satchel.server.mcp;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Json;
import dev.satchel.server.audit.AuditEvent.Outcome;
import dev.satchel.server.staging.StagedAsset;
import dev.satchel.server.staging.StagingService;
import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stage_asset}: copies an asset to where the file tools read. */
final class McpStageAssetTool implements McpTool {
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {"id": {"type": "string", "description": "The asset's id, as list_assets tells it"}},
             "required": ["id"]}
            """;

    private final StagingService staging;

    McpStageAssetTool(StagingService staging) {
        this.staging = staging;
    }

    @Override
    public String name() {
        return "stage_asset";
    }

    @Override
    public ObjectNode description() {
        return McpToolJson.adding(
                name(),
                "Copies an asset into this conversation's staged/ area and returns the path, for"
                        + " view, read_file and grep.",
                Json.MAPPER.readTree(SCHEMA));
    }

    @Override
    public McpResult call(McpSession session, JsonNode arguments) throws IOException {
        String id = arguments.path("id").stringValue("");
        if (id.isBlank()) {
            return McpResult.refused(
                    Outcome.DENIED, "invalid_request", "id is required: an asset's id");
        }
        try {
            return McpResult.of(view(staging.stage(session.tenant(), session.conversation(), id)))
                    .noting(Map.of("asset", id));
        } catch (SatchelException e) { // its message is for callers
            String code = e.code() == ErrorCode.NOT_FOUND ? "not_found" : "invalid_request";
            return McpResult.refused(Outcome.DENIED, code, e.text());
        }
    }

    private ObjectNode view(StagedAsset staged) {
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.put("path", ConversationDirectory.STAGED + "/" + staged.file().name());
        view.put("filename", staged.file().name());
        view.put("size", staged.file().size());
        view.put("mimeType", staged.file().mimeType());
        view.put("sha256", staged.file().sha256());
        view.put("assetId", staged.asset().value());
        view.put("staged", true);
        view.put("expiresAt", staging.expiresAt(staged));
        return view;
    }
}
