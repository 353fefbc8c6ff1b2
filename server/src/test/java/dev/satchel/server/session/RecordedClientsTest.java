package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The calls of the agent server's official TypeScript and Python clients, with the same paths,
 * bodies and headers, and the same parsing of the answers. The clients themselves are in no
 * registry, so a build cannot use them.
 */
class RecordedClientsTest {
    private SharedDisk disk;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start();
        server = disk.server();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void typeScriptAgentsAreDeployedListedReadAndDeleted() throws Exception {
        JsonNode agent =
                call("POST", "/api/agents", Map.of("name", "own", "path", "/agents/own"))
                        .get("agent");
        assertThat(agent.get("name").stringValue()).isEqualTo("own");

        assertThat(call("GET", "/api/agents", null).get("agents")).contains(agent);
        assertThat(call("GET", "/api/agents/own", null).get("agent")).isEqualTo(agent);
        assertThat(call("DELETE", "/api/agents/own", null).isObject()).isTrue();
    }

    @Test
    void typeScriptSessionsChangeTheirStatus() throws Exception {
        String session = create();
        assertThat(call("GET", "/api/sessions?agent=qa-bot", null).get("sessions")).hasSize(1);
        JsonNode page = call("GET", "/api/sessions?limit=5&offset=0&includeTotal=true", null);
        assertThat(page.get("total").intValue()).isEqualTo(1);

        assertThat(statusAfter("POST", session, "/pause")).isEqualTo("paused");
        assertThat(statusAfter("POST", session, "/resume")).isEqualTo("active");
        assertThat(statusAfter("POST", session, "/fork")).isEqualTo("paused");
        assertThat(statusAfter("POST", session, "/stop")).isEqualTo("stopped");
        assertThat(statusAfter("DELETE", session, "")).isEqualTo("ended");
        assertThat(statusAfter("GET", session, "")).isEqualTo("ended");
    }

    @Test
    void typeScriptFilesAreWrittenListedReadAndDeleted() throws Exception {
        String files = "/api/sessions/" + create() + "/files";
        JsonNode written =
                call(
                        "POST",
                        files,
                        Map.of(
                                "files",
                                List.of(
                                        Map.of(
                                                "path",
                                                "a b ü.ts",
                                                "content",
                                                "aGVsbG8=",
                                                "mimeType",
                                                "text/plain")),
                                "targetPath",
                                "src"));
        assertThat(written.get("files").get(0).get("written").booleanValue()).isTrue();

        JsonNode listed = call("GET", files + "?includeHidden=false", null);
        assertThat(listed.get("files").get(0).get("path").stringValue()).isEqualTo("src/a b ü.ts");
        assertThat(listed.get("source").stringValue()).isEqualTo("sandbox");
        String encoded = files + "/src/a%20b%20%C3%BC.ts"; // as fetch encodes it
        assertThat(call("GET", encoded + "?format=json", null).get("content").stringValue())
                .isEqualTo("hello");
        HttpResponse<String> raw = send("GET", encoded, null);
        assertThat(raw.headers().firstValue("Content-Type")).hasValue("text/typescript");
        assertThat(raw.headers().firstValue("X-Ash-Source")).hasValue("sandbox");
        assertThat(call("DELETE", encoded, null).get("deleted").booleanValue()).isTrue();
        assertThat(send("GET", encoded, null).body())
                .isEqualTo("{\"error\":\"File not found\",\"statusCode\":404}");
    }

    @Test
    void typeScriptMessagesStreamAndAreListedWithTheirEventsAndLogs() throws Exception {
        String session = create();
        List<JsonNode> events = stream(session, "Hi");

        assertThat(events)
                .extracting(event -> event.get("type").stringValue())
                .containsExactly(
                        "session_start",
                        "text_delta",
                        "message",
                        "message",
                        "turn_complete",
                        "message",
                        "done");
        assertThat(events.getFirst().at("/data/sessionId").stringValue()).isEqualTo(session);
        assertThat(events.get(1).at("/data/delta").stringValue()).isEqualTo("H");
        assertThat(events.get(2).at("/data/type").stringValue()).isEqualTo("stream_event");
        assertThat(events.get(4).at("/data/result").stringValue()).isEqualTo("Hi");
        assertThat(events.get(5).at("/data/result").stringValue()).isEqualTo("Hi");
        String path = "/api/sessions/" + session;
        JsonNode messages = call("GET", path + "/messages?limit=10&after=1", null).get("messages");
        assertThat(messages).hasSize(1);
        assertThat(call("GET", path + "/events?limit=10&type=text", null).get("events")).hasSize(1);
        assertThat(call("GET", path + "/logs?after=0", null).get("logs").isArray()).isTrue();
        assertThat(call("GET", path + "/logs?after=-1", null).get("logs").isArray()).isTrue();
    }

    @Test
    void typeScriptAgentsAreChangedAndTheirFilesAreRead() throws Exception {
        call("POST", "/api/agents", Map.of("name", "own", "path", "/agents/own"));
        JsonNode changed =
                call(
                                "PATCH",
                                "/api/agents/own",
                                Map.of(
                                        "systemPrompt",
                                        "Be kind.",
                                        "model",
                                        "claude-opus-4-1",
                                        "description",
                                        "Helps.",
                                        "config",
                                        Map.of("preWarmCount", 2)))
                        .get("agent");
        assertThat(changed.at("/config/preWarmCount").intValue()).isEqualTo(2);
        assertThat(changed.get("description").stringValue()).isEqualTo("Helps.");
        assertThat(changed.get("version").intValue()).isEqualTo(2);
        assertThat(call("GET", "/api/agents/own", null).get("agent")).isEqualTo(changed);

        JsonNode files = call("GET", "/api/agents/own/files", null).get("files");
        assertThat(files.at("/0/path").stringValue()).isEqualTo("CLAUDE.md");
        JsonNode file = call("GET", "/api/agents/own/files/CLAUDE.md?format=json", null);
        assertThat(file.get("content").stringValue()).isEqualTo("Be kind.");
        assertThat(file.get("size").intValue()).isEqualTo(8);
    }

    @Test
    void anEarlierVersionOfAnAgentIsActivated() throws Exception {
        call("POST", "/api/agents", Map.of("name", "own", "path", "/agents/own"));
        call("PATCH", "/api/agents/own", Map.of("systemPrompt", "Be kind."));
        JsonNode versions = call("GET", "/api/agents/own/versions", null).get("versions");
        assertThat(versions.valueStream().map(it -> it.get("versionNumber").intValue()))
                .containsExactly(2, 1);
        assertThat(versions.at("/0/isActive").booleanValue()).isTrue();

        JsonNode activated = call("POST", "/api/agents/own/versions/1/activate", null);
        assertThat(activated.get("versionNumber").intValue()).isEqualTo(1);
        JsonNode agent = call("GET", "/api/agents/own", null).get("agent");
        assertThat(agent.get("version").intValue()).isEqualTo(3);
        assertThat(agent.get("systemPrompt").stringValue()).isEmpty();
        JsonNode second = call("GET", "/api/agents/own/versions/2", null).get("version");
        assertThat(second.get("systemPrompt").stringValue()).isEqualTo("Be kind.");
        assertThat(send("GET", "/api/agents/own/versions/9", null).statusCode()).isEqualTo(404);
    }

    @Test
    void pythonDeploysAnAgentByItsFiles() throws Exception {
        String servers = "{\"mcpServers\":{\"own\":{\"command\":\"own-server\"}}}";
        Map<String, Object> agent =
                Map.of(
                        "name",
                        "own",
                        "files",
                        List.of(
                                Map.of("path", "CLAUDE.md", "content", base64("Be kind.")),
                                Map.of("path", ".mcp.json", "content", base64(servers))));
        JsonNode deployed = call("POST", "/api/agents", agent).get("agent");
        assertThat(deployed.get("systemPrompt").stringValue()).isEqualTo("Be kind.");
        assertThat(deployed.at("/mcpServers/own/type").stringValue()).isEqualTo("stdio");
        JsonNode files = call("GET", "/api/agents/own/files", null).get("files");
        assertThat(files.valueStream().map(it -> it.get("path").stringValue()))
                .containsExactly(".mcp.json", "CLAUDE.md");

        Map<String, Object> other =
                Map.of(
                        "name",
                        "own",
                        "files",
                        List.of(Map.of("path", "run.sh", "content", base64("ls"))));
        HttpResponse<String> refused = send("POST", "/api/agents", other);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("run.sh");
    }

    @Test
    void aNewSessionHasAnEmptyListOfFiles() throws Exception {
        JsonNode files = call("GET", "/api/sessions/" + create() + "/files", null);
        assertThat(files.get("files")).isEmpty();
        assertThat(files.get("source").stringValue()).isEqualTo("sandbox");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void typeScriptExecReturnsTheOutcome() throws Exception {
        String session = create();
        Thread sandbox =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                disk.sandbox()
                                        .next()
                                        .answers(
                                                "{\"exitCode\":1,\"stdout\":\"o\",\"stderr\":\"e\"}");
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        JsonNode outcome =
                call(
                        "POST",
                        "/api/sessions/" + session + "/exec",
                        Map.of("command", "ls", "timeout", 5_000));
        sandbox.join();

        assertThat(outcome.toString())
                .isEqualTo("{\"exitCode\":1,\"stdout\":\"o\",\"stderr\":\"e\"}");
    }

    @Test
    void typeScriptAttachmentsAndBundlesAreStoredAndDeleted() throws Exception {
        String session = create();
        JsonNode attachment =
                call(
                                "POST",
                                "/api/sessions/" + session + "/attachments",
                                Map.of(
                                        "filename",
                                        "a.txt",
                                        "content",
                                        "aGVsbG8=",
                                        "mimeType",
                                        "text/plain"))
                        .get("attachment");
        String one = "/api/attachments/" + attachment.get("id").stringValue();
        assertThat(
                        call("GET", "/api/sessions/" + session + "/attachments", null)
                                .get("attachments"))
                .contains(attachment);
        assertThat(send("GET", one, null).body()).isEqualTo("hello");
        assertThat(call("DELETE", one, null).isObject()).isTrue(); // its own server sends none

        disk.write(session, "a.txt", "live");
        String workspace = "/api/sessions/" + session + "/workspace";
        HttpRequest request = server.request(workspace).build();
        byte[] bundle;
        try (TestServer.Events body = server.events(request)) {
            bundle = body.response().body().readAllBytes();
        }
        String base64 = Base64.getEncoder().encodeToString(bundle);
        String other = create();
        call("POST", "/api/sessions/" + other + "/workspace", Map.of("bundle", base64));
        assertThat(disk.file(other, "a.txt").body()).isEqualTo("live");
    }

    /** Its requests declare JSON and have no body, which its own server refuses. */
    @Test
    void pythonStepsHaveAnEmptyBodyAndEndStopsFirst() throws Exception {
        String session = create();

        assertThat(disk.post(session, "pause").statusCode()).isEqualTo(200);
        assertThat(disk.post(session, "resume").statusCode()).isEqualTo(200);
        assertThat(disk.post(session, "fork").statusCode()).isEqualTo(201);
        assertThat(disk.post(session, "stop").statusCode()).isEqualTo(200);
        JsonNode ended = Json.MAPPER.readTree(disk.end(session).body()).get("session");
        assertThat(ended.get("status").stringValue()).isEqualTo("ended");
    }

    /** Its models parse fields that the TypeScript client does not read. */
    @Test
    void pythonModelsCanBeReadFromTheAnswers() throws Exception {
        String session = create();
        disk.turn(session, "a.txt", "x");
        JsonNode read = call("GET", "/api/sessions/" + session, null).get("session");
        parseIdAndTimes(read, "createdAt", "lastActiveAt");
        JsonNode agent = call("GET", "/api/agents/qa-bot", null).get("agent");
        parseIdAndTimes(agent, "createdAt", "updatedAt");
        assertThat(agent.get("version").isIntegralNumber()).isTrue();
        assertThat(agent.get("path").isString()).isTrue();
        JsonNode listing = call("GET", "/api/sessions/" + session + "/files", null);
        OffsetDateTime.parse(listing.get("files").get(0).get("modifiedAt").stringValue());
        assertThat(List.of("sandbox", "snapshot")).contains(listing.get("source").stringValue());
        JsonNode message =
                call("GET", "/api/sessions/" + session + "/messages", null).get("messages").get(0);
        parseIdAndTimes(message, "createdAt");
        JsonNode event =
                call("GET", "/api/sessions/" + session + "/events", null).get("events").get(0);
        parseIdAndTimes(event, "createdAt");
        JsonNode missing =
                Json.MAPPER.readTree(
                        send("GET", "/api/sessions/" + UUID.randomUUID(), null).body());
        assertThat(missing.toString())
                .isEqualTo("{\"error\":\"Session not found\",\"statusCode\":404}");
    }

    private static void parseIdAndTimes(JsonNode model, String... times) {
        assertThat(UUID.fromString(model.get("id").stringValue())).isNotNull();
        for (String time : times) {
            assertThat(OffsetDateTime.parse(model.get(time).stringValue())).isNotNull();
        }
    }

    private String create() throws Exception {
        return call("POST", "/api/sessions", Map.of("agent", "qa-bot"))
                .get("session")
                .get("id")
                .stringValue();
    }

    private String statusAfter(String method, String session, String step) throws Exception {
        return call(method, "/api/sessions/" + session + step, null)
                .get("session")
                .get("status")
                .stringValue();
    }

    /** Reads events as the client does: a name, then one line of data. */
    private List<JsonNode> stream(String session, String answer) throws Exception {
        HttpRequest request =
                server.request("/api/sessions/" + session + "/messages")
                        .header("Content-Type", "application/json")
                        .POST(
                                BodyPublishers.ofString(
                                        "{\"content\":\"hello\",\"includePartialMessages\":true}"))
                        .build();
        List<JsonNode> events = new ArrayList<>();
        try (TestServer.Events stream = server.events(request)) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            run.say("{\"type\":\"delta\",\"text\":\"H\"}").answers(answer);
            String name = "";
            for (var line = stream.line(); line.isPresent(); line = stream.line()) {
                if (line.get().startsWith("event: ")) {
                    name = line.get().substring(7).strip();
                } else if (line.get().startsWith("data: ")) {
                    JsonNode data = Json.MAPPER.readTree(line.get().substring(6));
                    events.add(Json.MAPPER.valueToTree(Map.of("type", name, "data", data)));
                }
            }
        }
        return events;
    }

    /** A call that must succeed, with an answer that must be JSON. */
    private JsonNode call(String method, String path, @Nullable Object body) throws Exception {
        HttpResponse<String> response = send(method, path, body);
        assertThat(response.statusCode()).as(method + " " + path).isBetween(200, 299);
        return Json.MAPPER.readTree(response.body());
    }

    /** Sets the content type only for a request with a body. */
    private HttpResponse<String> send(String method, String path, @Nullable Object body)
            throws Exception {
        HttpRequest.Builder request = server.request(path);
        if (body == null) {
            return server.send(request.method(method, BodyPublishers.noBody()).build());
        }
        return server.send(
                request.header("Content-Type", "application/json")
                        .method(
                                method,
                                BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build());
    }
}
