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
        ConversationDirectory files = areas.files(session);
        FileToolArguments judged = FileToolArguments.judge(arguments, areas.gate(session, files));
        if (judged.refused() != null) {
            return refused(judged, judged.refused());
        }
        ToolResult result = tool.call(judged.arguments(), files);
        if (result.succeeded()) {
            return McpResult.text(result.text(), result.images()).noting(detail(judged, ""));
        }
        if (result.text().endsWith(MISSING)) {
            String given = judged.given().isEmpty() ? "." : judged.given().getFirst();
            String reason = files.refusal().orElse("missing");
            return refused(judged, new PathValidator.Verdict.Refused(given, reason));
        }
        return McpResult.refused(Outcome.DENIED, "invalid_request", result.text())
                .noting(detail(judged, "arguments"));
    }

    private static McpResult refused(FileToolArguments judged, PathValidator.Verdict.Refused refusal) {
        return McpResult.refused(Outcome.DENIED, "not_found", refusal.text())
                .noting(detail(judged, refusal.reason()));
    }

    private static Map<String, String> detail(FileToolArguments judged, String reason) {
        Map<String, String> detail = new HashMap<>();
        if (!judged.given().isEmpty()) {
            String path = String.join(", ", judged.given()).replace('\0', '?');
            detail.put("path", path.length() <= 300 ? path : path.substring(0, 300) + "…");
        }
        if (!reason.isEmpty()) {
            detail.put("reason", reason);
        }
        return detail;
    }
}
