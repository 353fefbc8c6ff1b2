package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The methods of both eras, except tool calls. */
final class McpMethods {
    private static final Duration CACHE = Duration.ofMinutes(5);

    private static final String INSTRUCTIONS =
            "The file tools see one conversation: uploaded/ holds what people put in, staged/ the"
                    + " copies that stage_asset makes of the tenant's assets. list_asks tells what its agent asks a person,"
                    + " and answer_asks gives the answers of that person.";

    private final McpTools tools;
    private final String version;

    McpMethods(McpTools tools, String version) {
        this.tools = tools;
        this.version = version;
    }

    /** The answer of everything but {@code tools/call}, which may take long. */
    ObjectNode answer(ProtocolEra era, JsonRpcMessage message) throws McpException {
        return switch (era) {
            case LEGACY ->
                    switch (message.method()) {
                        case "initialize" -> initialize(message.params());
                        case "ping" -> Json.MAPPER.createObjectNode();
                        case "tools/list" -> list();
                        default -> throw unknown(200, message.method());
                    };
            case MODERN ->
                    switch (message.method()) {
                        case "server/discover" -> cached(discover());
                        case "tools/list" -> cached(list());
                        default -> throw unknown(404, message.method());
                    };
        };
    }

    private ObjectNode initialize(JsonNode params) {
        String wanted = params.path("protocolVersion").stringValue("");
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.put(
                "protocolVersion",
                ProtocolEra.isLegacy(wanted) ? wanted : ProtocolEra.NEWEST_LEGACY);
        result.set("capabilities", capabilities());
        result.set("serverInfo", serverInfo());
        result.put("instructions", INSTRUCTIONS);
        return result;
    }

    private ObjectNode discover() {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.set("supportedVersions", Json.MAPPER.valueToTree(ProtocolEra.versions()));
        result.set("capabilities", capabilities());
        result.put("instructions", INSTRUCTIONS);
        result.putObject("_meta").set("io.modelcontextprotocol/serverInfo", serverInfo());
        return result;
    }

    private ObjectNode list() {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.set("tools", tools.list());
        return result;
    }

    /** A caller may cache the result for itself. */
    private static ObjectNode cached(ObjectNode result) {
        result.put("resultType", "complete");
        result.put("ttlMs", CACHE.toMillis());
        result.put("cacheScope", "private");
        return result;
    }

    private static ObjectNode capabilities() {
        ObjectNode capabilities = Json.MAPPER.createObjectNode();
        capabilities.putObject("tools");
        return capabilities;
    }

    private ObjectNode serverInfo() {
        ObjectNode info = Json.MAPPER.createObjectNode();
        info.put("name", "satchel");
        info.put("title", "Satchel");
        info.put("version", version);
        return info;
    }

    private static McpException unknown(int status, String method) {
        String shown = method.length() <= 80 ? method : method.substring(0, 80) + "…";
        return new McpException(status, McpException.METHOD_NOT_FOUND, "no method " + shown);
    }
}
