package dev.satchel.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** One row for each thing that happens, and in none of them a content or a credential. */
class AuditTest {
    private static final String CONTENT = "very secret content";

    @TempDir private Path data;
    private ScriptedSandbox sandbox;
    private TestServer server;
    private String chat;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(data, null, sandbox.url());
        chat = server.newChat();
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void anUploadIntoABagLeavesOneRow() throws Exception {
        server.upload(chat, "a.txt", CONTENT);

        assertRows("UPLOAD ALLOWED {from=user}");
    }

    @Test
    void anUploadBeforeItsChatLeavesOneRow() throws Exception {
        uploadBefore();

        assertRows("UPLOAD ALLOWED {}");
    }

    @Test
    void aCompleteResumableUploadLeavesOneRow() throws Exception {
        String upload =
                send(tus("/api/uploads").header("Upload-Length", "3").POST(BodyPublishers.noBody()))
                        .headers()
                        .firstValue("Location")
                        .orElseThrow();
        patch(upload, 0, "a");
        assertRows();
        patch(upload, 1, "bc");

        assertRows("UPLOAD ALLOWED {}");
    }

    @Test
    void anUploadThatBecomesAnAssetLeavesOneRow() throws Exception {
        asset();

        assertRows("UPLOAD ALLOWED {what=asset}");
    }

    @Test
    void aMoveIntoAConversationLeavesOneRow() throws Exception {
        JsonNode uploaded = uploadBefore();
        String file = uploaded.at("/files/0/fileId").stringValue();
        Thread turn =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        server.post(
                                                "/agent-server/api/chat",
                                                Map.of(
                                                        "message",
                                                        "Look.",
                                                        "context",
                                                        Map.of("fileIds", List.of(file))));
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        sandbox.next().answers("Done.");
        turn.join();

        String session = uploaded.get("sessionId").stringValue();
        assertRows("UPLOAD ALLOWED {}", "MOVE ALLOWED {from=" + session + "}");
    }

    @Test
    void everyDeletionLeavesOneRow() throws Exception {
        String file = server.upload(chat, "a.txt", CONTENT).get("id").stringValue();
        delete("/api/assistant/chats/" + chat + "/files/" + file);
        delete("/api/assets/" + asset());
        String session = uploadBefore().get("sessionId").stringValue();
        delete("/agent-server/api/sessions/" + session);
        delete("/api/assistant/chats/" + chat);
        delete("/agent-server/api/sessions/" + server.newChat());

        assertThat(rows())
                .filteredOn(row -> row.startsWith("DELETE"))
                .containsExactly(
                        "DELETE ALLOWED {what=file}",
                        "DELETE ALLOWED {what=asset}",
                        "DELETE ALLOWED {what=upload}",
                        "DELETE ALLOWED {what=chat}",
                        "DELETE ALLOWED {what=chat}", // hidden first,
                        "DELETE ALLOWED {what=session}"); // then wiped
    }

    @Test
    void everyToolCallLeavesOneRowAllowedOrNot() throws Exception {
        server.upload(chat, "a.txt", CONTENT);
        String token = token();
        call(token, "view", Map.of("path", "a.txt"));
        call(token, "grep", Map.of("pattern", "secret"));
        call(token, "view", Map.of("path", "../a.txt"));
        call(token, "stage_asset", Map.of("id", "none"));

        assertThat(rows())
                .filteredOn(row -> row.startsWith("TOOL_CALL"))
                .containsExactly(
                        "TOOL_CALL ALLOWED {path=a.txt}",
                        "TOOL_CALL ALLOWED {}",
                        "TOOL_CALL DENIED {path=../a.txt, reason=traversal}",
                        "TOOL_CALL DENIED {code=not_found}");
    }

    @Test
    void everyTokenEventLeavesOneRow() throws Exception {
        String first = token();
        token();
        call(first, "view", Map.of("path", "a.txt"));
        delete("/api/assistant/chats/" + chat + "/mcp-token");

        assertRows(
                "TOKEN ALLOWED {event=issued}",
                "TOKEN ALLOWED {event=rotated}",
                "TOKEN DENIED {event=refused, reason=rotated}",
                "TOKEN ALLOWED {event=revoked}");
    }

    /** All rows there are, in their order; and nothing in them that must not be. */
    private void assertRows(String... expected) {
        assertThat(rows()).containsExactly(expected);
    }

    private List<String> rows() {
        List<AuditEvent> events;
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            events = database.read(tx -> new AuditStore().ofTenant(tx, TenantId.DEFAULT));
        }
        assertThat(events.toString())
                .doesNotContain("secret")
                .doesNotContain("pmcp_")
                .doesNotContain(TestServer.KEY);
        return events.stream()
                .map(
                        event ->
                                event.action()
                                        + " "
                                        + event.outcome()
                                        + " "
                                        + new TreeMap<>(event.detail()))
                .toList();
    }

    private JsonNode uploadBefore() throws Exception {
        return Json.MAPPER.readTree(form("/agent-server/api/upload").body());
    }

    private String asset() throws Exception {
        return Json.MAPPER.readTree(form("/api/assets").body()).at("/assets/0/id").stringValue();
    }

    private HttpResponse<String> form(String path) throws Exception {
        return send(
                server.request(path)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("b.txt", CONTENT).publisher()));
    }

    private void patch(String upload, int offset, String bytes) throws Exception {
        send(
                tus(upload)
                        .header("Upload-Offset", Integer.toString(offset))
                        .header("Content-Type", "application/offset+octet-stream")
                        .method("PATCH", BodyPublishers.ofString(bytes)));
    }

    private HttpRequest.Builder tus(String path) {
        return server.request(path).header("Tus-Resumable", "1.0.0");
    }

    private String token() throws Exception {
        HttpResponse<String> made =
                server.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of());
        return Json.MAPPER.readTree(made.body()).get("token").stringValue();
    }

    private void call(String token, String tool, Map<String, String> arguments) throws Exception {
        Map<String, Object> message =
                Map.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        1,
                        "method",
                        "tools/call",
                        "params",
                        Map.of("name", tool, "arguments", arguments));
        send(
                HttpRequest.newBuilder(server.url("/mcp"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(message))));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return server.send(request.build());
    }

    private void delete(String path) throws Exception {
        assertThat(send(server.request(path).DELETE()).statusCode()).as(path).isEqualTo(204);
    }
}
