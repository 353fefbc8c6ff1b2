package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Raw requests to {@code /mcp}, valid by default and invalid on demand. */
final class McpClient {
    static final String VERSION = "io.modelcontextprotocol/protocolVersion";
    static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

    private final TestServer server;
    private final String token;

    McpClient(TestServer server, String token) {
        this.server = server;
        this.token = token;
    }

    static McpClient of(TestServer server, String chat) throws IOException, InterruptedException {
        return new McpClient(server, newToken(server, chat));
    }

    static String newToken(TestServer server, String chat)
            throws IOException, InterruptedException {
        return Json.MAPPER
                .readTree(
                        server.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of()).body())
                .get("token")
                .stringValue();
    }

    static String asset(TestServer server, String name, String content)
            throws IOException, InterruptedException {
        HttpResponse<String> made =
                server.send(
                        server.request("/api/assets")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(new MultipartBody().file(name, content).publisher())
                                .build());
        return Json.MAPPER.readTree(made.body()).at("/assets/0/id").stringValue();
    }

    /** The result of a tool, asked for in the handshake era. */
    JsonNode call(String tool, Map<String, ?> arguments) throws IOException, InterruptedException {
        HttpResponse<String> response = legacy("tools/call", toolParams(tool, arguments));
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return Json.MAPPER.readTree(response.body()).get("result");
    }

    String text(String tool, Map<String, ?> arguments) throws IOException, InterruptedException {
        return call(tool, arguments).at("/content/0/text").stringValue();
    }

    HttpResponse<String> legacy(String method, Map<String, ?> params)
            throws IOException, InterruptedException {
        return send(request().header("MCP-Protocol-Version", "2025-11-25"), method, params);
    }

    HttpResponse<String> modern(String method, Map<String, ?> params)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                request().header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
        if (params.get("name") instanceof String name) {
            request.header("Mcp-Name", name);
        }
        return send(request, method, withMeta(params, "2026-07-28"));
    }

    HttpRequest.Builder request() {
        return HttpRequest.newBuilder(server.url("/mcp"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream");
    }

    HttpResponse<String> send(HttpRequest.Builder request, String method, Map<String, ?> params)
            throws IOException, InterruptedException {
        return server.send(request.POST(BodyPublishers.ofString(message(method, params))).build());
    }

    static String message(String method, Map<String, ?> params) {
        return Json.MAPPER.writeValueAsString(
                Map.of("jsonrpc", "2.0", "id", 7, "method", method, "params", params));
    }

    static Map<String, Object> toolParams(String tool, Map<String, ?> arguments) {
        return Map.of("name", tool, "arguments", arguments);
    }

    static Map<String, Object> withMeta(Map<String, ?> params, String version) {
        Map<String, Object> all = new LinkedHashMap<>(params);
        all.put("_meta", Map.of(VERSION, version, CAPABILITIES, Map.of()));
        return all;
    }
}
