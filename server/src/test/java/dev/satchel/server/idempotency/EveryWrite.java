package dev.satchel.server.idempotency;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AuthorizationServer;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A request for every write operation of the API document. */
final class EveryWrite {
    static final String CHATS = "/api/assistant/chats/";
    static final String SESSIONS = "/api/sessions/";
    static final String AGENT_SERVER = "/agent-server/api/";
    static final String ANSWERS = "POST /api/runs/{runId}/answers";
    static final String CONTENT = "aGVsbG8=";

    /** An empty tar.gz. */
    private static final String EMPTY_BUNDLE =
            "H4sIAAAAAAAAA+3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA";

    /** Creates the subject of the request, then the request. */
    @FunctionalInterface
    interface Maker {
        WriteRequest make() throws Exception;
    }

    private final TestServer server;
    private final WriteSubjects subjects;
    private final Map<String, Maker> makers = new HashMap<>();
    private final List<String> runs = new ArrayList<>();

    EveryWrite(TestServer server, AuthorizationServer service) {
        this.server = server;
        this.subjects = new WriteSubjects(server, service);
        chats();
        files();
        agents();
        sessions();
        agentServer();
        uploads();
        dialects();
        rest();
        makers.putAll(new BranchWrites(server, subjects).all());
        makers.putAll(new AgentServerWrites(subjects).all());
        for (String who : List.of("tenants/default", "users/owner")) {
            String path = "/api/" + who + "/limits";
            add(
                    "PUT " + path.replaceFirst("(default|owner)/", "{id}/"),
                    () -> WriteRequest.json("PUT", path, Map.of("runs", 12)));
        }
    }

    Map<String, Maker> all() {
        return Map.copyOf(makers);
    }

    /** Operations that start a run, which a repeated request follows. */
    List<String> runs() {
        return List.copyOf(runs);
    }

    WriteRequest make(String operation) throws Exception {
        return Objects.requireNonNull(makers.get(operation)).make();
    }

    private void chats() {
        run("/api/assistant/chat/stream", path -> WriteRequest.json("POST", path, message()));
        add("POST /api/assistant/chats", () -> WriteRequest.json("POST", at(CHATS), Map.of()));
        add(
                "PATCH /api/assistant/chats/{id}",
                () ->
                        WriteRequest.json(
                                "PATCH", CHATS + server.newChat(), Map.of("title", "plans")));
        add(
                "DELETE /api/assistant/chats/{id}",
                () -> WriteRequest.of("DELETE", CHATS + server.newChat()));
        add(
                "POST /api/assistant/chats/{id}/restore",
                () -> {
                    String chat = CHATS + server.newChat();
                    server.sendAs(TestServer.KEY, "DELETE", chat);
                    return WriteRequest.of("POST", chat + "/restore");
                });
        add(
                "POST /api/assistant/chats/{id}/mcp-token",
                () -> WriteRequest.of("POST", CHATS + server.newChat() + "/mcp-token"));
        add(
                "DELETE /api/assistant/chats/{id}/mcp-token",
                () -> {
                    String token = CHATS + server.newChat() + "/mcp-token";
                    subjects.send(WriteRequest.of("POST", token));
                    return WriteRequest.of("DELETE", token);
                });
        add(
                "POST /api/assistant/chats/{id}/cancel",
                () -> WriteRequest.of("POST", CHATS + server.newChat() + "/cancel"));
        add(
                "POST /api/assistant/chats/{id}/shares",
                () ->
                        WriteRequest.json(
                                "POST",
                                CHATS + server.newChat() + "/shares",
                                Map.of("with", "link")));
        add(
                "DELETE /api/assistant/chats/{id}/shares/{shareId}",
                () -> WriteRequest.of("DELETE", subjects.share()));
        queue();
    }

    private void queue() {
        add(
                "POST /api/assistant/chats/{id}/queue/resume",
                () -> WriteRequest.of("POST", CHATS + server.newChat() + "/queue/resume"));
        add(
                "PATCH /api/assistant/chats/{id}/queue/{messageId}",
                () ->
                        WriteRequest.json(
                                "PATCH", subjects.queuedMessage(), Map.of("message", "better")));
        add(
                "DELETE /api/assistant/chats/{id}/queue/{messageId}",
                () -> WriteRequest.of("DELETE", subjects.queuedMessage()));
    }

    private void files() {
        add(
                "POST /api/assistant/chats/{id}/files",
                () -> WriteRequest.form(CHATS + server.newChat() + "/files", "notes.txt"));
        add(
                "DELETE /api/assistant/chats/{id}/files/{fileId}",
                () -> WriteRequest.of("DELETE", subjects.file()));
        add(
                "POST /api/assistant/chats/{id}/files/{fileId}/save",
                () -> WriteRequest.of("POST", subjects.file() + "/save"));
        add(
                "POST /api/assistant/chats/{id}/files/claim",
                () ->
                        WriteRequest.json(
                                "POST",
                                CHATS + server.newChat() + "/files/claim",
                                Map.of("fileIds", List.of(subjects.upload()))));
        add("POST /api/assets", () -> WriteRequest.form("/api/assets", "letterhead.txt"));
        add(
                "DELETE /api/assets/{id}",
                () -> WriteRequest.of("DELETE", "/api/assets/" + subjects.asset()));
        add(
                "POST /api/runs/{runId}/files/{fileId}/save",
                () -> {
                    JsonNode answer =
                            subjects.headless("/sh mkdir -p assets && echo made > assets/a.txt");
                    String run = "/api/runs/" + answer.get("runId").stringValue();
                    String file = answer.at("/files/0/id").stringValue();
                    return WriteRequest.of("POST", run + "/files/" + file + "/save");
                });
    }

    private void agents() {
        add(
                "POST /api/agents",
                () -> WriteRequest.json("POST", "/api/agents", WriteSubjects.agentSpec()));
        add(
                "PUT /api/agents/{id}",
                () -> WriteRequest.json("PUT", subjects.agent(), WriteSubjects.agentSpec()));
        add(
                "PUT /api/default-agent",
                () -> {
                    String agent = subjects.agent().substring("/api/agents/".length());
                    return WriteRequest.json("PUT", "/api/default-agent", Map.of("agentId", agent));
                });
        add("DELETE /api/agents/{id}", () -> WriteRequest.of("DELETE", subjects.agent()));
        add(
                "POST /api/credentials",
                () ->
                        WriteRequest.json(
                                "POST",
                                "/api/credentials",
                                Map.of("name", "token-" + UUID.randomUUID(), "value", "v")));
        add(
                "PUT /api/credentials/{name}",
                () -> WriteRequest.json("PUT", subjects.credential(), Map.of("value", "another")));
        add(
                "DELETE /api/credentials/{name}",
                () -> WriteRequest.of("DELETE", subjects.credential()));
        add(
                "POST /api/credentials/{name}/authorization",
                () ->
                        WriteRequest.json(
                                "POST", subjects.oauthCredential() + "/authorization", Map.of()));
        add(
                "POST /api/credentials/authorizations",
                () ->
                        WriteRequest.json(
                                "POST", "/api/credentials/authorizations", subjects.login()));
        run(
                "/api/agents/{id}/runs",
                _ ->
                        WriteRequest.json(
                                "POST", subjects.agent() + "/runs", Map.of("prompt", "hello")));
        add(
                "POST /api/runs/{runId}/cancel",
                () -> {
                    String run = subjects.headless("hello").get("runId").stringValue();
                    return WriteRequest.of("POST", "/api/runs/" + run + "/cancel");
                });
        add(
                ANSWERS,
                () -> {
                    String run = subjects.headless("hello").get("runId").stringValue();
                    Map<String, String> answer = Map.of("askId", "one", "decision", "allow");
                    return WriteRequest.json(
                            "POST",
                            "/api/runs/" + run + "/answers",
                            Map.of("answers", List.of(answer)));
                });
        add(
                "DELETE /api/runs/{runId}",
                () -> {
                    String run = subjects.headless("hello").get("runId").stringValue();
                    return WriteRequest.of("DELETE", "/api/runs/" + run);
                });
        add("POST /api/skills", () -> WriteSubjects.skill("letters"));
        add(
                "DELETE /api/skills/{name}",
                () -> {
                    subjects.send(WriteSubjects.skill("minutes"));
                    return WriteRequest.of("DELETE", "/api/skills/minutes");
                });
    }

    private void sessions() {
        add(
                "POST /api/sessions",
                () ->
                        WriteRequest.json(
                                "POST", at(SESSIONS), Map.of("agent", subjects.agentsName())));
        add("DELETE /api/sessions/{id}", () -> WriteRequest.of("DELETE", subjects.session()));
        for (String change : List.of("pause", "resume", "stop", "workspace/restore")) {
            add(
                    "POST /api/sessions/{id}/" + change,
                    () -> {
                        String session = subjects.session();
                        if (change.equals("resume")) {
                            subjects.post(session + "/pause", Map.of());
                        }
                        return WriteRequest.of("POST", session + "/" + change);
                    });
        }
        run(
                "/api/sessions/{id}/messages",
                _ ->
                        WriteRequest.json(
                                "POST",
                                subjects.session() + "/messages",
                                Map.of("content", "hello")));
        run(
                "/api/sessions/{id}/exec",
                _ ->
                        WriteRequest.json(
                                "POST",
                                subjects.session() + "/exec",
                                Map.of("command", "echo hello")));
        Map<String, String> file = Map.of("path", "a.txt", "content", CONTENT);
        add(
                "POST /api/sessions/{id}/files",
                () ->
                        WriteRequest.json(
                                "POST",
                                subjects.session() + "/files",
                                Map.of("files", List.of(file))));
        add(
                "DELETE /api/sessions/{id}/files/{path}",
                () -> {
                    String session = subjects.session();
                    subjects.post(session + "/files", Map.of("files", List.of(file)));
                    return WriteRequest.of("DELETE", session + "/files/a.txt");
                });
        add(
                "POST /api/sessions/{id}/workspace",
                () ->
                        WriteRequest.json(
                                "POST",
                                subjects.session() + "/workspace",
                                Map.of("bundle", EMPTY_BUNDLE)));
        add(
                "POST /api/sessions/{id}/attachments",
                () -> WriteSubjects.attachment(subjects.session()));
        add(
                "DELETE /api/attachments/{id}",
                () -> {
                    WriteRequest made = WriteSubjects.attachment(subjects.session());
                    JsonNode answer =
                            Json.MAPPER.readTree(
                                    server.send(made.request(server, UUID.randomUUID().toString()))
                                            .body());
                    String id = answer.at("/attachment/id").stringValue();
                    return WriteRequest.of("DELETE", "/api/attachments/" + id);
                });
    }

    private void agentServer() {
        add(
                "POST /agent-server/api/upload",
                () -> WriteRequest.form(AGENT_SERVER + "upload", "notes.txt"));
        run("/agent-server/api/chat", path -> WriteRequest.json("POST", path, message()));
        run(
                "/agent-server/api/chat/{sessionId}",
                _ ->
                        WriteRequest.json(
                                "POST", AGENT_SERVER + "chat/" + server.newChat(), message()));
        add(
                "POST /agent-server/api/chat/{sessionId}/cancel",
                () ->
                        WriteRequest.of(
                                "POST", AGENT_SERVER + "chat/" + server.newChat() + "/cancel"));
        add(
                "DELETE /agent-server/api/sessions/{sessionId}",
                () -> WriteRequest.of("DELETE", AGENT_SERVER + "sessions/" + server.newChat()));
    }

    private void uploads() {
        add(
                "POST /api/uploads",
                () -> WriteSubjects.tus("POST", "/api/uploads").with("Upload-Length", "5"));
        add(
                "PATCH /api/uploads/{fileId}",
                () -> {
                    WriteRequest piece = WriteSubjects.tus("PATCH", subjects.tusUpload());
                    return new WriteRequest(piece.method(), piece.path(), piece.headers(), "hello")
                            .with("Upload-Offset", "0")
                            .with("Content-Type", "application/offset+octet-stream");
                });
        add(
                "POST /api/uploads/{fileId}",
                () ->
                        WriteSubjects.tus("POST", subjects.tusUpload())
                                .with("X-HTTP-Method-Override", "DELETE"));
        add(
                "DELETE /api/uploads/{fileId}",
                () -> WriteSubjects.tus("DELETE", subjects.tusUpload()));
    }

    private void dialects() {
        Map<String, ?> said =
                Map.of(
                        "id",
                        "m1",
                        "role",
                        "user",
                        "parts",
                        List.of(Map.of("type", "text", "text", "hello")));
        run(
                "/api/ai-sdk/chat",
                path ->
                        WriteRequest.json(
                                "POST",
                                path,
                                Map.of("id", WriteSubjects.name(), "messages", List.of(said))));
        add(
                "POST /api/ai-sdk/chat/{chatId}/stop",
                () -> WriteRequest.of("POST", "/api/ai-sdk/chat/" + server.newChat() + "/stop"));
        Map<String, ?> words = Map.of("id", "m1", "role", "user", "content", "hello");
        run(
                "/api/ag-ui",
                path ->
                        WriteRequest.json(
                                "POST",
                                path,
                                Map.of(
                                        "threadId",
                                        WriteSubjects.name(),
                                        "runId",
                                        "r1",
                                        "messages",
                                        List.of(words))));
        add(
                "POST /api/ag-ui/{threadId}/stop",
                () -> WriteRequest.of("POST", "/api/ag-ui/" + server.newChat() + "/stop"));
        Map<String, ?> asked =
                Map.of(
                        "messageId",
                        "m1",
                        "role",
                        "ROLE_USER",
                        "parts",
                        List.of(Map.of("text", "hello")));
        run("/a2a", path -> WriteRequest.json("POST", path, call("SendStreamingMessage", asked)));
        add(
                "POST /a2a/agents/{agentId}",
                () ->
                        WriteRequest.json(
                                "POST",
                                subjects.agent().replace("/api/", "/a2a/"),
                                call("SendMessage", asked)));
        run(
                "/v1/responses",
                path ->
                        WriteRequest.json(
                                "POST",
                                path,
                                Map.of("model", "satchel", "stream", true, "input", "hello")));
        add(
                "POST /v1/responses/{id}/cancel",
                () -> WriteRequest.of("POST", "/v1/responses/" + subjects.response() + "/cancel"));
        add("POST /v1/files", () -> WriteRequest.form("/v1/files", "notes.txt"));
        add(
                "DELETE /v1/files/{id}",
                () -> WriteRequest.of("DELETE", "/v1/files/" + subjects.openAiFile()));
        run(
                "/v1/chat/completions",
                path ->
                        WriteRequest.json(
                                "POST",
                                path,
                                Map.of(
                                        "model",
                                        "satchel",
                                        "stream",
                                        true,
                                        "messages",
                                        List.of(Map.of("role", "user", "content", "hello")))));
    }

    private static Map<String, ?> call(String method, Map<String, ?> message) {
        return Map.of(
                "jsonrpc", "2.0", "id", 1, "method", method, "params", Map.of("message", message));
    }

    private void rest() {
        add("POST /api/login-links", () -> WriteRequest.of("POST", "/api/login-links"));
        add(
                "POST /api/keys",
                () -> WriteRequest.json("POST", "/api/keys", Map.of("name", "laptop")));
        add(
                "DELETE /api/keys/{id}",
                () -> {
                    String key =
                            subjects.post("/api/keys", Map.of("name", "old"))
                                    .get("id")
                                    .stringValue();
                    return WriteRequest.of("DELETE", "/api/keys/" + key);
                });
        people();
    }

    private void people() {
        add(
                "POST /api/users",
                () ->
                        WriteRequest.json(
                                "POST", "/api/users", Map.of("name", "Ada", "role", "member")));
        add("PATCH /api/users/{id}", () -> WriteRequest.json("PATCH", person(), rename()));
        add("DELETE /api/users/{id}", () -> WriteRequest.of("DELETE", person()));
        add(
                "POST /api/users/{id}/invitation",
                () -> WriteRequest.of("POST", person() + "/invitation"));
        add(
                "PUT /api/me/password",
                () ->
                        WriteRequest.json(
                                "PUT", "/api/me/password", Map.of("password", "a long password")));
        add("DELETE /api/login-sessions", () -> WriteRequest.of("DELETE", "/api/login-sessions"));
        add("DELETE /api/login-sessions/{id}", () -> WriteRequest.of("DELETE", session()));
    }

    private static Map<String, String> rename() {
        return Map.of("name", "Ada Lovelace");
    }

    private String person() throws Exception {
        return "/api/users/"
                + subjects.post("/api/users", Map.of("name", "Ada", "role", "member"))
                        .get("user")
                        .get("id")
                        .stringValue();
    }

    /** A browser that has just signed in. */
    private String session() throws Exception {
        String link = subjects.post("/api/login-links", Map.of()).get("url").stringValue();
        HttpResponse<String> _ = server.send(HttpRequest.newBuilder(URI.create(link)).build());
        return "/api/login-sessions/"
                + server.getJson("/api/login-sessions")
                        .get("sessions")
                        .valueStream()
                        .toList()
                        .getLast()
                        .get("id")
                        .stringValue();
    }

    private void add(String operation, Maker maker) {
        makers.put(operation, maker);
    }

    private interface RunMaker {
        WriteRequest make(String path) throws Exception;
    }

    private void run(String path, RunMaker maker) {
        makers.put("POST " + path, () -> maker.make(path));
        runs.add("POST " + path);
    }

    private static String at(String folder) {
        return folder.substring(0, folder.length() - 1);
    }

    private static Map<String, String> message() {
        return Map.of("message", "hello");
    }
}
