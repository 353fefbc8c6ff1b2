package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * PostgreSQL takes no text with a NUL in it, not even to look for: that is the caller's mistake.
 */
class NulCharacterTest {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void isNeverAFailureOfOurs(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            assertThat(server.get("/api/sessions?agent=%00").statusCode()).isEqualTo(400);
            assertThat(server.get("/api/agents/a%00").statusCode()).isEqualTo(404);
            assertThat(server.get("/api/assets?q=%00").statusCode()).isEqualTo(400);
            assertThat(server.post("/api/agents", Map.of("name", "a", "path", "b\0")).statusCode())
                    .isEqualTo(400);
            assertThat(
                            server.send(
                                            server.request("/agent-server/api/upload?sessionId=%00")
                                                    .header(
                                                            "Content-Type",
                                                            MultipartBody.CONTENT_TYPE)
                                                    .POST(
                                                            new MultipartBody()
                                                                    .file("a", "b")
                                                                    .publisher())
                                                    .build())
                                    .statusCode())
                    .isEqualTo(404);
            assertThat(
                            server.send(
                                            server.request("/api/uploads")
                                                    .header("Tus-Resumable", "1.0.0")
                                                    .header("Upload-Length", "5")
                                                    .header("Upload-Metadata", "sessionId AA==")
                                                    .POST(BodyPublishers.noBody())
                                                    .build())
                                    .statusCode())
                    .isEqualTo(404);
            assertThat(searchForNul(server)).contains("invalid_request");
        }
    }

    private static String searchForNul(TestServer server) throws Exception {
        String token =
                Json.MAPPER
                        .readTree(
                                server.post(
                                                "/api/assistant/chats/"
                                                        + server.newChat()
                                                        + "/mcp-token",
                                                Map.of())
                                        .body())
                        .get("token")
                        .stringValue();
        Map<String, Object> call =
                Map.of("name", "list_assets", "arguments", Map.of("search", "\0"));
        Map<String, Object> message =
                Map.of("jsonrpc", "2.0", "id", 1, "method", "tools/call", "params", call);
        return server.send(
                        server.request("/mcp")
                                .setHeader("Authorization", "Bearer " + token)
                                .POST(
                                        BodyPublishers.ofString(
                                                Json.MAPPER.writeValueAsString(message)))
                                .build())
                .body();
    }
}
