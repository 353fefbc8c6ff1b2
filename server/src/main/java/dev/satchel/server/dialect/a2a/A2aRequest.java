package dev.satchel.server.dialect.a2a;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.dialect.JsonObjects;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A JSON-RPC request. */
record A2aRequest(@Nullable String jsonrpc, JsonNode id, String method, JsonNode params) {
    A2aRequest {
        id = id == null ? JsonNodeFactory.instance.nullNode() : id;
        method = method == null ? "" : method;
        params = params == null ? JsonNodeFactory.instance.objectNode() : params;
    }

    Map<String, Object> result(Object result) {
        return JsonObjects.of("jsonrpc", "2.0", "id", id, "result", result);
    }

    /** Errors are responses with the status 200, as JSON-RPC has them. */
    Map<String, Object> error(SatchelException problem) {
        return JsonObjects.of(
                "jsonrpc",
                "2.0",
                "id",
                id,
                "error",
                JsonObjects.of(
                        "code",
                        code(problem),
                        "message",
                        problem.text(),
                        "data",
                        JsonObjects.of("code", problem.code().code())));
    }

    static SatchelException unknownMethod(String method) {
        return new SatchelException(ErrorCode.METHOD_NOT_ALLOWED, "no method " + method);
    }

    private static int code(SatchelException problem) {
        return switch (problem.code()) {
            case METHOD_NOT_ALLOWED -> -32601;
            case INVALID_REQUEST -> -32602;
            case NOT_FOUND -> -32001; // the task
            case GONE -> -32002; // it cannot be cancelled any more
            default -> -32603;
        };
    }
}
