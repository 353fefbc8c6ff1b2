package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One JSON-RPC message of a client; without an id it is a notification. */
record JsonRpcMessage(@Nullable JsonNode id, String method, JsonNode params) {

    static JsonRpcMessage parse(byte[] body) throws McpException {
        JsonNode node = json(body);
        if (!node.isObject() || !"2.0".equals(node.path("jsonrpc").stringValue(""))) {
            throw invalid("one JSON-RPC 2.0 message is expected");
        }
        JsonNode id = node.get("id");
        if (id != null && !id.isString() && !id.isIntegralNumber()) {
            throw invalid("id must be a string or a whole number");
        }
        boolean answer = !node.has("method") && (node.has("result") || node.has("error"));
        String method = answer ? "" : node.path("method").stringValue("");
        if (!answer && method.isEmpty()) {
            throw invalid("method is required");
        }
        JsonNode params = node.path("params");
        if (!params.isMissingNode() && !params.isObject()) {
            throw invalid("params must be an object");
        }
        return new JsonRpcMessage(answer ? null : id, method, params);
    }

    /** Notifications, and responses to requests that the server never sends. */
    boolean expectsNoAnswer() {
        return id == null;
    }

    ObjectNode result(ObjectNode result) {
        ObjectNode answer = envelope(id);
        answer.set("result", result);
        return answer;
    }

    static ObjectNode error(@Nullable JsonNode id, McpException problem) {
        ObjectNode answer = envelope(id);
        ObjectNode error = answer.putObject("error");
        error.put("code", problem.code());
        error.put("message", problem.text());
        Map<String, Object> data = problem.data();
        if (!data.isEmpty()) {
            error.set("data", Json.MAPPER.valueToTree(data));
        }
        return answer;
    }

    private static ObjectNode envelope(@Nullable JsonNode id) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("jsonrpc", "2.0");
        if (id != null) {
            answer.set("id", id);
        }
        return answer;
    }

    private static JsonNode json(byte[] body) throws McpException {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw new McpException(400, McpException.PARSE_ERROR, "the body is not JSON");
        }
    }

    private static McpException invalid(String problem) {
        return new McpException(400, McpException.INVALID_REQUEST, problem);
    }
}
