package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the tools return, what they refuse, and what they write to the audit log. */
class McpToolsTest {
    private static final String FRUIT = "line1\nline2\nline3\nline4\napple\n";

    private Path data;
    private TestServer server;
    private String chat;
    private McpClient client;

    @BeforeEach
    void start() throws Exception {
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.start(data, null, null);
        chat = server.newChat();
        client = McpClient.of(server, chat);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void viewShowsNumberedLinesByNameOrIdWithOrWithoutTheArea() throws Exception {
        String id = server.upload(chat, "fruit.txt", FRUIT).get("id").stringValue();
        String expected = "2. line2\n3. line3\n4. line4";

        for (String path :
                List.of(
                        "fruit.txt",
                        "uploaded/fruit.txt",
                        id,
                        "uploaded/" + id,
                        "/app/uploads/" + chat + "/uploaded/fruit.txt")) {
            String text = client.text("view", Map.of("path", path, "view_range", List.of(2, 4)));
            assertThat(text).as(path).startsWith(expected);
        }
        assertThat(client.text("read_file", Map.of("path", id))).startsWith("1. line1\n");
    }

    @Test
    void grepAndGlobSearchBothAreas() throws Exception {
        server.upload(chat, "fruit.txt", FRUIT);
        String asset = McpClient.asset(server, "more.txt", "apple pie\n");
        client.call("stage_asset", Map.of("id", asset));

        assertThat(client.text("grep", Map.of("pattern", "^ap", "path", "fruit.txt")))
                .isEqualTo("uploaded/fruit.txt:5:apple");
        assertThat(client.text("grep", Map.of("pattern", "^ap")))
                .contains("uploaded/fruit.txt")
                .contains("staged/" + asset + "-more.txt");
        assertThat(client.text("glob", Map.of("pattern", "**/*.txt")).lines())
                .containsExactlyInAnyOrder("uploaded/fruit.txt", "staged/" + asset + "-more.txt");
    }

    @Test
    void theRootShowsTheTwoAreasAndNothingElse() throws Exception {
        server.upload(chat, "a.txt", "1");

        assertThat(client.text("view", Map.of("path", ".")))
                .isEqualTo("uploaded/\nuploaded/a.txt\nstaged/");
    }

    @Test
    void filesWithADirectoryInTheirNameAreListedInIt() throws Exception {
        server.send(
                server.request("/api/assistant/chats/" + chat + "/files?folder=src/deep")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("fruit.txt", FRUIT).publisher())
                        .build());

        assertThat(client.text("view", Map.of("path", "uploaded/src")))
                .isEqualTo("deep/\ndeep/fruit.txt");
        assertThat(client.text("view", Map.of("path", "uploaded/src/deep/fruit.txt")))
                .startsWith("1. line1\n");
        assertThat(client.text("grep", Map.of("pattern", "^ap")))
                .isEqualTo("uploaded/src/deep/fruit.txt");
        assertThat(client.text("glob", Map.of("pattern", "**/deep/*")))
                .isEqualTo("uploaded/src/deep/fruit.txt");
    }

    @Test
    void stagingCopiesAnAssetAndReturnsItsPath() throws Exception {
        String id = McpClient.asset(server, "sales.csv", "a,b\n1,2\n");

        JsonNode result = client.call("stage_asset", Map.of("id", id));
        JsonNode staged = result.get("structuredContent");

        assertThat(staged.get("path").stringValue()).isEqualTo("staged/" + id + "-sales.csv");
        assertThat(Json.MAPPER.readTree(result.at("/content/0/text").stringValue()))
                .isEqualTo(staged);
        assertThat(client.text("view", Map.of("path", staged.get("path").stringValue())))
                .isEqualTo("1. a,b\n2. 1,2");
        assertThat(objects()).contains(chat + "/staged/" + id + "-sales.csv");
        assertThat(client.text("list_assets", Map.of("search", "SALES"))).contains(id);
        assertThat(client.text("stage_asset", Map.of("id", "42"))).contains("not_found");
    }

    @Test
    void aForgedSessionHeaderChangesNothing() throws Exception {
        String other = server.newChat();
        server.upload(other, "secret.txt", "secret");
        HttpResponse<String> response =
                client.send(
                        client.request()
                                .header("X-Chat-Session-Id", other)
                                .header("Mcp-Session-Id", other),
                        "tools/call",
                        McpClient.toolParams("view", Map.of("path", "secret.txt")));

        assertThat(response.body()).contains("does not exist").doesNotContain("1. secret");
    }

    @Test
    void otherCredentialsMayListToolsButNotCallThem() throws Exception {
        server.upload(chat, "a.txt", "1");
        McpClient withKey = new McpClient(server, TestServer.KEY);

        JsonNode result = withKey.call("view", Map.of("path", "a.txt"));

        assertThat(result.get("isError").booleanValue()).isTrue();
        assertThat(result.at("/content/0/text").stringValue())
                .contains("No chat session context.")
                .contains("permission_denied");
        assertThat(withKey.legacy("tools/list", Map.of()).statusCode()).isEqualTo(200);
        assertThat(new McpClient(server, "pmcp_guess").legacy("ping", Map.of()).statusCode())
                .isEqualTo(401);
        assertThat(new McpClient(server, "nothing").legacy("ping", Map.of()).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aTokenIsValidForItsToolsOnly() throws Exception {
        String token = McpClient.newToken(server, chat);
        HttpResponse<String> list =
                server.send(
                        HttpRequest.newBuilder(server.url("/api/assistant/chats"))
                                .header("Authorization", "Bearer " + token)
                                .build());

        assertThat(list.statusCode()).isEqualTo(401);
    }

    @Test
    void badArgumentsAreAResultAndNotAnError() throws Exception {
        server.upload(chat, "a.txt", "1");
        JsonNode result = client.call("grep", Map.of("pattern", "(", "path", "a.txt"));

        assertThat(result.get("isError").booleanValue()).isTrue();
        assertThat(result.at("/content/0/text").stringValue()).contains("invalid_request");
    }

    @Test
    void anImageIsReturnedAsAnImage() throws Exception {
        byte[] png = {
            (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'
        };
        server.send(
                server.request("/api/assistant/chats/" + chat + "/files")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("dot.png", png).publisher())
                        .build());

        JsonNode content = client.call("view", Map.of("path", "dot.png")).get("content");

        assertThat(content.get(1).get("type").stringValue()).isEqualTo("image");
        assertThat(content.get(1).get("mimeType").stringValue()).isEqualTo("image/png");
    }

    @Test
    void everyCallWritesOneAuditRowWithoutContentsOrCredentials() throws Exception {
        server.upload(chat, "a.txt", "very secret content");
        client.call("view", Map.of("path", "a.txt"));
        client.call("grep", Map.of("pattern", "secret"));

        List<AuditEvent> calls = audit(AuditEvent.Action.TOOL_CALL);
        assertThat(calls).extracting(AuditEvent::target).containsExactly("view", "grep");
        assertThat(calls).extracting(AuditEvent::outcome).containsOnly(AuditEvent.Outcome.ALLOWED);
        assertThat(audit(AuditEvent.Action.TOKEN)).hasSize(1);
        assertThat(audit().toString()).doesNotContain("very secret").doesNotContain("pmcp_");
    }

    private List<AuditEvent> audit(AuditEvent.Action action) {
        return audit().stream().filter(event -> event.action() == action).toList();
    }

    /** A second connection to the database file of the server. */
    private List<AuditEvent> audit() {
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            return database.read(tx -> new AuditStore().ofSession(tx, chat));
        }
    }

    private List<String> objects() throws IOException {
        Path root = data.resolve("objects");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .toList();
        }
    }
}
