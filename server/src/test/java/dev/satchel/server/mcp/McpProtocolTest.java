package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The protocol by raw requests: both eras, valid and invalid. */
class McpProtocolTest {
    private TestServer server;
    private String chat;
    private McpClient client;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start(null);
        chat = server.newChat();
        client = McpClient.of(server, chat);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theHandshakeReturnsASupportedVersionAndCreatesNoSession() throws Exception {
        HttpResponse<String> response =
                client.send(
                        client.request(),
                        "initialize",
                        Map.of("protocolVersion", "2025-06-18", "capabilities", Map.of()));
        JsonNode result = result(response);

        assertThat(result.get("protocolVersion").stringValue()).isEqualTo("2025-06-18");
        assertThat(result.at("/serverInfo/name").stringValue()).isEqualTo("satchel");
        assertThat(result.at("/capabilities/tools").isObject()).isTrue();
        assertThat(response.headers().firstValue("Mcp-Session-Id")).isEmpty();
    }

    @Test
    void theHandshakeOffersTheNewestVersionForAnUnknownOne() throws Exception {
        JsonNode result =
                result(
                        client.send(
                                client.request(),
                                "initialize",
                                Map.of("protocolVersion", "1999-01-01")));

        assertThat(result.get("protocolVersion").stringValue()).isEqualTo("2025-11-25");
    }

    @Test
    void aNotificationIsAcceptedWithoutAResponse() throws Exception {
        HttpResponse<String> response =
                server.send(
                        client.request()
                                .POST(
                                        BodyPublishers.ofString(
                                                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"))
                                .build());

        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void aPingHasAnEmptyResult() throws Exception {
        assertThat(result(client.legacy("ping", Map.of())).isEmpty()).isTrue();
    }

    @Test
    void theToolsAreListedInAFixedOrderWithTheirHints() throws Exception {
        JsonNode tools = result(client.legacy("tools/list", Map.of())).get("tools");

        assertThat(tools.valueStream().map(tool -> tool.get("name").stringValue()))
                .containsExactly(
                        "stage_asset",
                        "list_assets",
                        "view",
                        "read_file",
                        "grep",
                        "glob",
                        "list_asks",
                        "answer_asks");
        assertThat(tools.get(2).at("/annotations/readOnlyHint").booleanValue()).isTrue();
        assertThat(tools.get(0).at("/annotations/readOnlyHint").booleanValue()).isFalse();
        assertThat(tools.get(2).at("/inputSchema/required/0").stringValue()).isEqualTo("path");
        assertThat(tools.toString()).doesNotContain("/root/workspace");
    }

    @Test
    void discoveryReturnsVersionsAndServerInfo() throws Exception {
        JsonNode result = result(client.modern("server/discover", Map.of()));

        assertThat(result.get("resultType").stringValue()).isEqualTo("complete");
        assertThat(result.at("/supportedVersions/0").stringValue()).isEqualTo("2026-07-28");
        assertThat(result.get("supportedVersions").toString()).contains("2025-11-25");
        assertThat(result.get("ttlMs").longValue()).isPositive();
        assertThat(result.get("cacheScope").stringValue()).isEqualTo("private");
        assertThat(
                        result.get("_meta")
                                .get("io.modelcontextprotocol/serverInfo")
                                .get("name")
                                .stringValue())
                .isEqualTo("satchel");
    }

    @Test
    void modernResultsAreCompleteAndListsMayBeCached() throws Exception {
        JsonNode list = result(client.modern("tools/list", Map.of()));
        JsonNode call =
                result(
                        client.modern(
                                "tools/call", McpClient.toolParams("view", Map.of("path", "."))));

        assertThat(list.get("resultType").stringValue()).isEqualTo("complete");
        assertThat(list.get("ttlMs").longValue()).isPositive();
        assertThat(call.get("resultType").stringValue()).isEqualTo("complete");
        assertThat(call.get("isError").booleanValue()).isFalse();
    }

    @Test
    void aHeaderThatDiffersFromTheBodyIs32020() throws Exception {
        Map<String, Object> params =
                McpClient.withMeta(McpClient.toolParams("view", Map.of("path", ".")), "2026-07-28");
        String version = "MCP-Protocol-Version";

        assertRefused(client.send(client.request(), "tools/call", params), 400, -32020);
        assertRefused(
                client.send(
                        client.request()
                                .header(version, "2026-07-28")
                                .header("Mcp-Method", "tools/list"),
                        "tools/call",
                        params),
                400,
                -32020);
        assertRefused(
                client.send(
                        client.request()
                                .header(version, "2026-07-28")
                                .header("Mcp-Method", "tools/call"),
                        "tools/call",
                        params),
                400,
                -32020);
        assertRefused(
                client.send(
                        client.request()
                                .header(version, "2026-07-28")
                                .header("Mcp-Method", "tools/call")
                                .header("Mcp-Name", "grep"),
                        "tools/call",
                        params),
                400,
                -32020);
    }

    @Test
    void aNameMayComeInBase64() throws Exception {
        HttpResponse<String> response =
                client.send(
                        client.request()
                                .header("MCP-Protocol-Version", "2026-07-28")
                                .header("Mcp-Method", "tools/call")
                                .header("Mcp-Name", "=?base64?dmlldw==?="),
                        "tools/call",
                        McpClient.withMeta(
                                McpClient.toolParams("view", Map.of("path", ".")), "2026-07-28"));

        assertThat(result(response).get("isError").booleanValue()).isFalse();
    }

    @Test
    void missingMetaIs32602() throws Exception {
        HttpRequest.Builder request =
                client.request()
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", "tools/list");
        assertRefused(client.send(request.copy(), "tools/list", Map.of()), 400, -32602);
        assertRefused(
                client.send(
                        request.copy(),
                        "tools/list",
                        Map.of("_meta", Map.of(McpClient.VERSION, "2026-07-28"))),
                400,
                -32602);
    }

    @Test
    void anUnknownVersionIs32022WithThoseWeSpeak() throws Exception {
        HttpResponse<String> response =
                client.send(
                        client.request()
                                .header("MCP-Protocol-Version", "2099-01-01")
                                .header("Mcp-Method", "tools/list"),
                        "tools/list",
                        McpClient.withMeta(Map.of(), "2099-01-01"));

        assertRefused(response, 400, -32022);
        assertThat(response.body()).contains("\"supported\":[\"2026-07-28\"");
        assertRefused(
                client.send(
                        client.request().header("MCP-Protocol-Version", "1999-01-01"),
                        "tools/list",
                        Map.of()),
                400,
                -32022);
    }

    @Test
    void anUnknownMethodIs404InTheModernEra() throws Exception {
        assertRefused(client.modern("resources/list", Map.of()), 404, -32601);
        assertRefused(client.modern("initialize", Map.of()), 404, -32601);
        assertRefused(client.legacy("resources/list", Map.of()), 200, -32601);
    }

    @Test
    void anUnknownToolIsAnErrorOfTheRequest() throws Exception {
        Map<String, Object> params = McpClient.toolParams("rm", Map.of());

        assertRefused(client.modern("tools/call", params), 400, -32602);
        assertRefused(client.legacy("tools/call", params), 200, -32602);
    }

    @Test
    void anInvalidMessageIsRefused() throws Exception {
        for (String body :
                List.of("{", "[]", "{}", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}")) {
            HttpResponse<String> response =
                    server.send(client.request().POST(BodyPublishers.ofString(body)).build());
            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(response.body()).as(body).containsAnyOf("-32700", "-32600");
        }
    }

    @Test
    void getAndDeleteAreNotSupported() throws Exception {
        assertThat(server.send(client.request().GET().build()).statusCode()).isEqualTo(405);
        assertThat(server.send(client.request().DELETE().build()).statusCode()).isEqualTo(405);
    }

    @Test
    void aPageOfAnotherSiteIsRefused() throws Exception {
        HttpResponse<String> foreign =
                client.send(
                        client.request().header("Origin", "https://evil.example"),
                        "ping",
                        Map.of());
        HttpResponse<String> own =
                client.send(
                        client.request().header("Origin", server.url("").toString()),
                        "ping",
                        Map.of());

        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(own.statusCode()).isEqualTo(200);
    }

    @Test
    void aCallWithAProgressTokenIsAnsweredAsEvents() throws Exception {
        Map<String, Object> params =
                Map.of(
                        "name",
                        "view",
                        "arguments",
                        Map.of("path", "."),
                        "_meta",
                        Map.of("progressToken", "p1"));
        HttpResponse<String> response = client.legacy("tools/call", params);

        assertThat(response.headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/event-stream");
        assertThat(response.headers().firstValue("X-Accel-Buffering")).hasValue("no");
        List<JsonNode> events =
                response.body()
                        .lines()
                        .filter(line -> line.startsWith("data: "))
                        .map(line -> Json.MAPPER.readTree(line.substring(6)))
                        .toList();
        assertThat(events.getFirst().get("method").stringValue())
                .isEqualTo("notifications/progress");
        assertThat(events.getFirst().at("/params/progressToken").stringValue()).isEqualTo("p1");
        assertThat(events.getLast().get("id").intValue()).isEqualTo(7);
        assertThat(events.getLast().at("/result/isError").booleanValue()).isFalse();
    }

    private static JsonNode result(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.MAPPER.readTree(response.body()).get("result");
    }

    private static void assertRefused(HttpResponse<String> response, int status, int code) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        JsonNode body = Json.MAPPER.readTree(response.body());
        assertThat(body.at("/error/code").intValue()).isEqualTo(code);
        assertThat(body.get("id").intValue()).isEqualTo(7);
    }
}
