package dev.satchel.server.mcp;

import java.util.Map;

/** A request that violates the protocol, with the HTTP status and the JSON-RPC error to send. */
final class McpException extends Exception {
    private static final long serialVersionUID = 1L;

    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int HEADER_MISMATCH = -32020;
    static final int UNSUPPORTED_VERSION = -32022;

    private final int status;
    private final int code;
    private final transient Map<String, Object> data;

    McpException(int status, int code, String message) {
        this(status, code, message, Map.of());
    }

    McpException(int status, int code, String message, Map<String, Object> data) {
        super(message);
        this.status = status;
        this.code = code;
        this.data = Map.copyOf(data);
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    Map<String, Object> data() {
        return data;
    }
}
