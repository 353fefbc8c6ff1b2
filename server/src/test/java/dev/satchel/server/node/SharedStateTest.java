package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Logins, keys, tokens and files are the same on all servers. */
class SharedStateTest {
    private TestNodes nodes;
    private TestServer one;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nodes = new TestNodes();
        one = nodes.start(new SandboxConfiguration.None());
        other = nodes.start(new SandboxConfiguration.None());
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void serversThatStartTogetherMigrateOneAfterTheOther() throws Exception {
        try (TestNodes fresh = new TestNodes()) {
            List<TestServer> started =
                    TestNodes.atOnce(
                            IntStream.range(0, 3)
                                    .mapToObj(
                                            _ ->
                                                    () ->
                                                            fresh.start(
                                                                    new SandboxConfiguration
                                                                            .None())));
            String chat = started.get(0).newChat();
            for (TestServer server : started) {
                assertThat(server.get("/api/assistant/chats/" + chat).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void aLoginLinkWorksOnceOnAnyServerAndItsCookieOnAll() throws Exception {
        JsonNode link = Json.MAPPER.readTree(one.post("/api/login-links", Map.of()).body());
        URI address = URI.create(link.get("url").stringValue());
        String path = address.getPath() + "?" + address.getQuery();

        HttpResponse<String> opened = anonymous(other, path, "");
        assertThat(opened.headers().firstValue("Set-Cookie")).isPresent();
        assertThat(anonymous(one, path, "").headers().firstValue("Set-Cookie")).isEmpty();

        String cookie = opened.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
        assertThat(anonymous(one, "/api/assistant/chats", cookie).statusCode()).isEqualTo(200);
    }

    @Test
    void aKeyThatIsRevokedOnOneServerIsRefusedByTheOther() throws Exception {
        JsonNode made =
                Json.MAPPER.readTree(one.post("/api/keys", Map.of("name", "short-lived")).body());
        String key = made.get("key").stringValue();
        String chats = "/api/assistant/chats";
        assertThat(other.sendAs(key, "GET", chats).statusCode()).isEqualTo(200);

        one.sendAs(TestServer.KEY, "DELETE", "/api/keys/" + made.get("id").stringValue());

        assertThat(other.sendAs(key, "GET", chats).statusCode()).isEqualTo(401);
    }

    @Test
    void ofToolTokensIssuedTogetherOneIsValidOnBothServers() throws Exception {
        String chat = one.newChat();
        String path = "/api/assistant/chats/" + chat + "/mcp-token";
        List<HttpResponse<String>> issued =
                TestNodes.atOnce(
                        IntStream.range(0, 8)
                                .mapToObj(
                                        i ->
                                                () ->
                                                        (i % 2 == 0 ? one : other)
                                                                .post(path, Map.of())));
        assertThat(issued).extracting(HttpResponse::statusCode).containsOnly(201);

        List<String> working = new ArrayList<>();
        for (HttpResponse<String> answer : issued) {
            String token = Json.MAPPER.readTree(answer.body()).get("token").stringValue();
            if (ping(one, token) == 200) {
                working.add(token);
            }
        }
        assertThat(working).hasSize(1);
        assertThat(ping(other, working.getFirst())).isEqualTo(200);
    }

    @Test
    void aFileUploadedToOneServerIsDownloadedFromTheOther() throws Exception {
        String chat = one.newChat();
        String id = one.upload(chat, "a.txt", "alpha").get("id").stringValue();

        assertThat(other.get("/api/assistant/chats/" + chat + "/files/" + id).body())
                .isEqualTo("alpha");
    }

    @Test
    void filesWithTheSameNameUploadedTogetherGetDifferentNames() throws Exception {
        String chat = one.newChat();
        List<String> names =
                TestNodes.atOnce(
                        IntStream.range(0, 6)
                                .mapToObj(
                                        i ->
                                                () ->
                                                        (i % 2 == 0 ? one : other)
                                                                .upload(chat, "a.txt", "v" + i)
                                                                .get("name")
                                                                .stringValue()));
        assertThat(names).doesNotHaveDuplicates();
        for (JsonNode file :
                other.getJson("/api/assistant/chats/" + chat + "/files").get("files")) {
            assertThat(
                            one.get(
                                            "/api/assistant/chats/"
                                                    + chat
                                                    + "/files/"
                                                    + file.get("id").stringValue())
                                    .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void anAssetStagedThroughOneServerIsReadThroughTheOther() throws Exception {
        String chat = one.newChat();
        HttpResponse<String> made =
                one.send(
                        one.request("/api/assets")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(new MultipartBody().file("a.csv", "1,2").publisher())
                                .build());
        String asset = Json.MAPPER.readTree(made.body()).at("/assets/0/id").stringValue();
        String token =
                Json.MAPPER
                        .readTree(
                                one.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of())
                                        .body())
                        .get("token")
                        .stringValue();

        assertThat(tool(one, token, "stage_asset", Map.of("id", asset))).contains(asset);
        assertThat(tool(other, token, "grep", Map.of("pattern", "1,2"))).contains("a.csv");
    }

    private static HttpResponse<String> anonymous(TestServer server, String path, String cookie)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.url(path));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie).header("Sec-Fetch-Site", "same-origin");
        }
        return server.send(request.build());
    }

    private static int ping(TestServer server, String token) throws Exception {
        return rpc(server, token, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                .statusCode();
    }

    private static String tool(
            TestServer server, String token, String name, Map<String, ?> arguments)
            throws Exception {
        Map<String, Object> call =
                Map.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        1,
                        "method",
                        "tools/call",
                        "params",
                        Map.of("name", name, "arguments", arguments));
        return rpc(server, token, Json.MAPPER.writeValueAsString(call)).body();
    }

    private static HttpResponse<String> rpc(TestServer server, String token, String body)
            throws Exception {
        return server.send(
                server.request("/mcp")
                        .setHeader("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2025-06-18")
                        .POST(BodyPublishers.ofString(body))
                        .build());
    }
}
