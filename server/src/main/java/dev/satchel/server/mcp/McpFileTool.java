package dev.satchel.server.mcp;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.server.audit.AuditEvent.Outcome;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A tool that reads files, restricted to the files of one conversation. */
final class McpFileTool implements McpTool {
    private static final String MISSING = "does not exist. Please provide a valid path.";
    private static final String WHERE =
            "uploaded/{name or id} or staged/{name}; a name alone is looked for in both";

    private final String name;
    private final Tool<ReadableDirectory> tool;
    private final ConversationFileLookup areas;

    McpFileTool(String name, Tool<ReadableDirectory> tool, ConversationFileLookup areas) {
        this.name = name;
        this.tool = tool;
        this.areas = areas;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ObjectNode description() {
        ObjectNode schema = tool.description().parameters();
        for (String path : new String[] {"path", "paths"}) {
            if (schema.at("/properties/" + path) instanceof ObjectNode property) {
                property.put("description", WHERE);
            }
        }
        return McpToolJson.reading(name, tool.description().description(), schema);
    }

    @Override
    public McpResult call(McpSession session, JsonNode arguments)
            throws IOException, InterruptedException {
        ConversationDirectory files = areas.directory(session);
        FileToolArguments checked =
                FileToolArguments.validate(arguments, areas.validator(session, files));
        if (checked.refused() != null) {
            return refused(checked, checked.refused());
        }
        ToolResult result = tool.call(checked.arguments(), files);
        if (result.succeeded()) {
            return McpResult.text(result.text(), result.images()).noting(detail(checked, ""));
        }
        if (result.text().endsWith(MISSING)) {
            String given = checked.given().isEmpty() ? "." : checked.given().getFirst();
            String reason = files.refusal().orElse("missing");
            return refused(checked, new PathValidator.Result.Refused(given, reason));
        }
        return McpResult.refused(Outcome.DENIED, "invalid_request", result.text())
                .noting(detail(checked, "arguments"));
    }

    private static McpResult refused(
            FileToolArguments checked, PathValidator.Result.Refused refusal) {
        return McpResult.refused(Outcome.DENIED, "not_found", refusal.text())
                .noting(detail(checked, refusal.reason()));
    }

    private static Map<String, String> detail(FileToolArguments checked, String reason) {
        Map<String, String> detail = new HashMap<>();
        if (!checked.given().isEmpty()) {
            String path = String.join(", ", checked.given()).replace('\0', '?');
            detail.put("path", path.length() <= 300 ? path : path.substring(0, 300) + "…");
        }
        if (!reason.isEmpty()) {
            detail.put("reason", reason);
        }
        return detail;
    }
}
