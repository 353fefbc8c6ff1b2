package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a client of an agent server sets for a session, as its runs get it. */
class SessionConfigTest {
    private static SharedDisk disk;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        disk = SharedDisk.start();
        server = disk.server();
    }

    @AfterAll
    static void stop() {
        disk.close();
    }

    @Test
    void aSessionAllowsToolsByTheNamesOfItsClient() throws Exception {
        JsonNode session =
                disk.create(Map.of("allowedTools", List.of("Read", "Bash", "WebSearch", "grep")));
        assertThat(session.at("/config/allowedTools")).hasSize(4);
        assertThat(texts(config(session).get("tools"))).containsExactly("view", "sh", "grep");
    }

    @Test
    void aRefusedToolIsDenied() throws Exception {
        JsonNode session =
                disk.create(Map.of("disallowedTools", List.of("Write", "mcp__own__delete")));
        JsonNode permissions = config(session).get("permissions");
        assertThat(permissions.get("write").stringValue()).isEqualTo("deny");
        assertThat(permissions.get("mcp:own:delete").stringValue()).isEqualTo("deny");
    }

    @Test
    void aSessionTakesToolsFromItsAgentAndAddsNone() throws Exception {
        String agent = UUID.randomUUID().toString().substring(0, 8);
        server.post(
                "/api/agents",
                Map.of(
                        "name",
                        agent,
                        "tools",
                        List.of("view", "grep", "mcp:own:*"),
                        "permissions",
                        Map.of("mcp:own:read", "allow")));
        JsonNode session =
                session(
                        server.post(
                                "/api/sessions",
                                Map.of(
                                        "agent",
                                        agent,
                                        "allowedTools",
                                        List.of("Read", "Bash", "mcp__own__read"))));
        assertThat(texts(config(session).get("tools"))).containsExactly("view", "mcp:own:read");

        JsonNode changed = configure(session, Map.of("disallowedTools", List.of("mcp__own")));
        assertThat(changed.at("/config/allowedTools")).hasSize(3);
        JsonNode config = config(session);
        assertThat(texts(config.get("tools"))).containsExactly("view");
        assertThat(config.get("permissions").toString()).isEqualTo("{\"mcp:own:*\":\"deny\"}");
    }

    @Test
    void theConfigurationChangesTheNextTurn() throws Exception {
        JsonNode session = disk.create(Map.of());
        assertThat(config(session).has("tools")).isFalse();
        JsonNode changed =
                configure(session, Map.of("model", "opus", "allowedTools", List.of("Glob")));
        assertThat(changed.get("model").stringValue()).isEqualTo("opus");
        assertThat(texts(config(session).get("tools"))).containsExactly("glob");
    }

    @Test
    void aSessionHasMcpServersOfItsOwn() throws Exception {
        JsonNode session =
                disk.create(
                        Map.of(
                                "mcpServers",
                                Map.of(
                                        "own",
                                        Map.of("command", "own-server", "args", List.of("-v")),
                                        "far",
                                        Map.of("url", "https://mcp.example/mcp"))));
        JsonNode servers = config(session).get("mcp_servers");
        assertThat(servers.at("/own/type").stringValue()).isEqualTo("stdio");
        assertThat(servers.at("/far/url").stringValue()).isEqualTo("https://mcp.example/mcp");
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        for (Map<String, ?> body :
                List.of(
                        Map.of("allowedTools", List.of("Bash(git:*)")),
                        Map.of("credentialId", "one"),
                        Map.of("mcpServers", Map.of("own", Map.of("url", "ftp://there"))))) {
            Map<String, Object> whole = new HashMap<>(body);
            whole.put("agent", "qa-bot");
            assertThat(server.post("/api/sessions", whole).statusCode()).isEqualTo(400);
        }
        String chat = server.newChat();
        HttpResponse<String> refused =
                server.send("PATCH", "/api/sessions/" + chat + "/config", Map.of("model", "a"));
        assertThat(refused.body()).contains("no agent of its own");
    }

    @Test
    void imagesAndDocumentsOfAMessageAreFilesOfTheSession() throws Exception {
        String session = disk.create();
        List<Map<String, ?>> content =
                List.of(
                        Map.of("type", "text", "text", "What is this?"),
                        Map.of(
                                "type",
                                "image",
                                "source",
                                Map.of(
                                        "type", "base64",
                                        "media_type", "image/png",
                                        "data", "aGVsbG8=")),
                        Map.of(
                                "type",
                                "document",
                                "title",
                                "notes",
                                "source",
                                Map.of(
                                        "type", "text",
                                        "media_type", "text/plain",
                                        "data", "my notes")));
        try (TestServer.Events events = disk.send(session, content)) {
            disk.sandbox().next().answers("A picture.");
            while (events.line().isPresent()) {}
        }
        JsonNode files =
                server.getJson("/api/sessions/" + session + "/attachments").get("attachments");
        assertThat(files.valueStream().map(it -> it.get("filename").stringValue()))
                .containsExactlyInAnyOrder("image-1.png", "notes.txt");
        String id = files.get(0).get("id").stringValue();
        assertThat(server.get("/api/attachments/" + id).body()).isIn("hello", "my notes");

        List<Map<String, ?>> far =
                List.of(
                        Map.of(
                                "type",
                                "image",
                                "source",
                                Map.of("type", "url", "url", "https://example.com/a.png")));
        assertThat(
                        server.post(
                                        "/api/sessions/" + session + "/messages",
                                        Map.of("content", far))
                                .statusCode())
                .isEqualTo(400);
    }

    private JsonNode configure(JsonNode session, Map<String, ?> changes) throws Exception {
        String path = "/api/sessions/" + session.get("id").stringValue() + "/config";
        return session(server.send("PATCH", path, changes));
    }

    private static JsonNode session(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
        return Json.MAPPER.readTree(response.body()).get("session");
    }

    /** What the runner gets for the next turn. */
    private JsonNode config(JsonNode session) throws Exception {
        try (TestServer.Events events = disk.send(session.get("id").stringValue(), "hello");
                SandboxCalls calls = new SandboxCalls()) {
            RunOnStage run = disk.sandbox().next();
            String config = calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body();
            run.answers("done");
            while (events.line().isPresent()) {}
            return Json.MAPPER.readTree(config);
        }
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::stringValue).toList();
    }
}
