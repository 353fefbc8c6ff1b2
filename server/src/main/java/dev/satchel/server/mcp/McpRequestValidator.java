package dev.satchel.server.mcp;

import dev.satchel.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Finds the era of a request and checks its rules. In the modern era every request has the same
 * information in its headers and in its body, and both must be equal.
 */
final class McpRequestValidator {
    private static final String META = "io.modelcontextprotocol/";
    private static final String VERSION_HEADER = "MCP-Protocol-Version";

    private McpRequestValidator() {}

    static ProtocolEra check(Exchange exchange, JsonRpcMessage message) throws McpException {
        JsonNode meta = message.params().path("_meta");
        Optional<String> header = exchange.header(VERSION_HEADER);
        boolean modern =
                meta.has(META + "protocolVersion")
                        || header.filter(ProtocolEra.NEWEST::equals).isPresent()
                        || message.method().equals("server/discover");
        if (!modern) {
            checkLegacy(header, message);
            return ProtocolEra.LEGACY;
        }
        if (!message.expectsNoAnswer()) {
            checkMeta(meta);
        }
        checkVersions(header, meta);
        checkHeaders(exchange, message);
        return ProtocolEra.MODERN;
    }

    private static void checkLegacy(Optional<String> header, JsonRpcMessage message)
            throws McpException {
        boolean known = header.isEmpty() || ProtocolEra.isLegacy(header.get());
        if (!known && !message.method().equals("initialize")) {
            throw unsupported(header.get());
        }
    }

    private static void checkMeta(JsonNode meta) throws McpException {
        if (!meta.path(META + "protocolVersion").isString()) {
            throw invalidParams("_meta." + META + "protocolVersion is required");
        }
        if (!meta.path(META + "clientCapabilities").isObject()) {
            throw invalidParams("_meta." + META + "clientCapabilities is required");
        }
    }

    private static void checkVersions(Optional<String> header, JsonNode meta) throws McpException {
        String version = meta.path(META + "protocolVersion").stringValue(header.orElse(""));
        if (header.isEmpty() || !header.get().equals(version)) {
            throw mismatch(VERSION_HEADER);
        }
        if (!version.equals(ProtocolEra.NEWEST)) {
            throw unsupported(version);
        }
    }

    private static void checkHeaders(Exchange exchange, JsonRpcMessage message)
            throws McpException {
        if (!exchange.header("Mcp-Method").orElse("").equals(message.method())) {
            throw mismatch("Mcp-Method");
        }
        if (message.method().equals("tools/call")) {
            String name = message.params().path("name").stringValue("");
            if (!exchange.header("Mcp-Name")
                    .map(McpRequestValidator::decoded)
                    .orElse("")
                    .equals(name)) {
                throw mismatch("Mcp-Name");
            }
        }
    }

    /** Names with characters that no header can contain are sent as {@code =?base64?…?=}. */
    private static String decoded(String header) {
        if (!header.startsWith("=?base64?") || !header.endsWith("?=") || header.length() < 11) {
            return header;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(header.substring(9, header.length() - 2));
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return header;
        }
    }

    private static McpException mismatch(String header) {
        return new McpException(
                400,
                McpException.HEADER_MISMATCH,
                "the header " + header + " is missing or differs from the body");
    }

    private static McpException invalidParams(String problem) {
        return new McpException(400, McpException.INVALID_PARAMS, problem);
    }

    private static McpException unsupported(String version) {
        String shown = version.length() <= 40 ? version : version.substring(0, 40) + "…";
        return new McpException(
                400,
                McpException.UNSUPPORTED_VERSION,
                "protocol version " + shown + " is not supported",
                Map.of("supported", ProtocolEra.versions(), "requested", shown));
    }
}
