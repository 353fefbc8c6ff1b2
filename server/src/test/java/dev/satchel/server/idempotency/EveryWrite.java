package dev.satchel.server.idempotency;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A request for every operation of the document that changes something, with all it needs. */
final class EveryWrite {
    static final String CHATS = "/api/assistant/chats/";
    static final String SESSIONS = "/api/sessions/";
    static final String AGENT_SERVER = "/agent-server/api/";
    static final String CONTENT = "aGVsbG8=";

    /** A tar.gz that holds nothing. */
    private static final String EMPTY_BUNDLE =
            "H4sIAAAAAAAAA+3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA";

    /** Makes what the request is about, then the request. */
    @FunctionalInterface
    interface Maker {
        Write make() throws Exception;
    }

    private final TestServer server;
    private final Subjects subjects;
    private final Map<String, Maker> makers = new HashMap<>();
    private final List<String> runs = new ArrayList<>();

    EveryWrite(TestServer server) {
        this.server = server;
        this.subjects = new Subjects(server);
        chats();
        files();
        agents();
        sessions();
        agentServer();
        uploads();
        dialects();
        rest();
    }

    Map<String, Maker> all() {
        return Map.copyOf(makers);
    }

    /** Those whose answer is a run's, which can be joined. */
    List<String> runs() {
        return List.copyOf(runs);
    }

    Write make(String operation) throws Exception {
        return Objects.requireNonNull(makers.get(operation)).make();
    }

    private void chats() {
        run("/api/assistant/chat/stream", path -> Write.json("POST", path, message()));
        add("POST /api/assistant/chats", () -> Write.json("POST", at(CHATS), Map.of()));
        add(
                "PATCH /api/assistant/chats/{id}",
                () -> Write.json("PATCH", CHATS + server.newChat(), Map.of("title", "plans")));
        add("DELETE /api/assistant/chats/{id}", () -> Write.of("DELETE", CHATS + server.newChat()));
        add(
                "POST /api/assistant/chats/{id}/restore",
                () -> {
                    String chat = CHATS + server.newChat();
                    server.sendAs(TestServer.KEY, "DELETE", chat);
                    return Write.of("POST", chat + "/restore");
                });
        add(
                "POST /api/assistant/chats/{id}/mcp-token",
                () -> Write.of("POST", CHATS + server.newChat() + "/mcp-token"));
        add(
                "DELETE /api/assistant/chats/{id}/mcp-token",
                () -> {
                    String token = CHATS + server.newChat() + "/mcp-token";
                    subjects.send(Write.of("POST", token));
                    return Write.of("DELETE", token);
                });
        add(
                "POST /api/assistant/chats/{id}/cancel",
                () -> Write.of("POST", CHATS + server.newChat() + "/cancel"));
    }

    private void files() {
        add(
                "POST /api/assistant/chats/{id}/files",
                () -> Write.form(CHATS + server.newChat() + "/files", "notes.txt"));
        add(
                "DELETE /api/assistant/chats/{id}/files/{fileId}",
                () -> Write.of("DELETE", subjects.file()));
        add(
                "POST /api/assistant/chats/{id}/files/{fileId}/save",
                () -> Write.of("POST", subjects.file() + "/save"));
        add(
                "POST /api/assistant/chats/{id}/files/claim",
                () ->
                        Write.json(
                                "POST",
                                CHATS + server.newChat() + "/files/claim",
                                Map.of("fileIds", List.of(subjects.upload()))));
        add("POST /api/assets", () -> Write.form("/api/assets", "letterhead.txt"));
        add("DELETE /api/assets/{id}", () -> Write.of("DELETE", "/api/assets/" + subjects.asset()));
        add(
                "POST /api/runs/{runId}/files/{fileId}/save",
                () -> {
                    JsonNode answer =
                            subjects.headless("/sh mkdir -p assets && echo made > assets/a.txt");
                    String run = "/api/runs/" + answer.get("runId").stringValue();
                    String file = answer.at("/files/0/id").stringValue();
                    return Write.of("POST", run + "/files/" + file + "/save");
                });
    }

    private void agents() {
        add("POST /api/agents", () -> Write.json("POST", "/api/agents", Subjects.agentSpec()));
        add(
                "PUT /api/agents/{id}",
                () -> Write.json("PUT", subjects.agent(), Subjects.agentSpec()));
        add("DELETE /api/agents/{id}", () -> Write.of("DELETE", subjects.agent()));
        run(
                "/api/agents/{id}/runs",
                _ -> Write.json("POST", subjects.agent() + "/runs", Map.of("prompt", "hello")));
        add(
                "POST /api/runs/{runId}/cancel",
                () -> {
                    String run = subjects.headless("hello").get("runId").stringValue();
                    return Write.of("POST", "/api/runs/" + run + "/cancel");
                });
    }

    private void sessions() {
        add(
                "POST /api/sessions",
                () -> Write.json("POST", at(SESSIONS), Map.of("agent", subjects.agentsName())));
        add("DELETE /api/sessions/{id}", () -> Write.of("DELETE", subjects.session()));
        for (String change : List.of("pause", "resume", "stop", "fork")) {
            add(
                    "POST /api/sessions/{id}/" + change,
                    () -> {
                        String session = subjects.session();
                        if (change.equals("resume")) {
                            subjects.post(session + "/pause", Map.of());
                        }
                        return Write.of("POST", session + "/" + change);
                    });
        }
        run(
                "/api/sessions/{id}/messages",
                _ ->
                        Write.json(
                                "POST",
                                subjects.session() + "/messages",
                                Map.of("content", "hello")));
        run(
                "/api/sessions/{id}/exec",
                _ ->
                        Write.json(
                                "POST",
                                subjects.session() + "/exec",
                                Map.of("command", "echo hello")));
        Map<String, String> file = Map.of("path", "a.txt", "content", CONTENT);
        add(
                "POST /api/sessions/{id}/files",
                () ->
                        Write.json(
                                "POST",
                                subjects.session() + "/files",
                                Map.of("files", List.of(file))));
        add(
                "DELETE /api/sessions/{id}/files/{path}",
                () -> {
                    String session = subjects.session();
                    subjects.post(session + "/files", Map.of("files", List.of(file)));
                    return Write.of("DELETE", session + "/files/a.txt");
                });
        add(
                "POST /api/sessions/{id}/workspace",
                () ->
                        Write.json(
                                "POST",
                                subjects.session() + "/workspace",
                                Map.of("bundle", EMPTY_BUNDLE)));
        add("POST /api/sessions/{id}/attachments", () -> Subjects.attachment(subjects.session()));
        add(
                "DELETE /api/attachments/{id}",
                () -> {
                    Write made = Subjects.attachment(subjects.session());
                    JsonNode answer =
                            Json.MAPPER.readTree(
                                    server.send(made.request(server, UUID.randomUUID().toString()))
                                            .body());
                    String id = answer.at("/attachment/id").stringValue();
                    return Write.of("DELETE", "/api/attachments/" + id);
                });
    }

    private void agentServer() {
        add(
                "POST /agent-server/api/upload",
                () -> Write.form(AGENT_SERVER + "upload", "notes.txt"));
        run("/agent-server/api/chat", path -> Write.json("POST", path, message()));
        run(
                "/agent-server/api/chat/{sessionId}",
                _ -> Write.json("POST", AGENT_SERVER + "chat/" + server.newChat(), message()));
        add(
                "POST /agent-server/api/chat/{sessionId}/cancel",
                () -> Write.of("POST", AGENT_SERVER + "chat/" + server.newChat() + "/cancel"));
        add(
                "DELETE /agent-server/api/sessions/{sessionId}",
                () -> Write.of("DELETE", AGENT_SERVER + "sessions/" + server.newChat()));
    }

    private void uploads() {
        add(
                "POST /api/uploads",
                () -> Subjects.tus("POST", "/api/uploads").with("Upload-Length", "5"));
        add(
                "PATCH /api/uploads/{fileId}",
                () -> {
                    Write piece = Subjects.tus("PATCH", subjects.tusUpload());
                    return new Write(piece.method(), piece.path(), piece.headers(), "hello")
                            .with("Upload-Offset", "0")
                            .with("Content-Type", "application/offset+octet-stream");
                });
        add("DELETE /api/uploads/{fileId}", () -> Subjects.tus("DELETE", subjects.tusUpload()));
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
                        Write.json(
                                "POST",
                                path,
                                Map.of("id", Subjects.name(), "messages", List.of(said))));
        add(
                "POST /api/ai-sdk/chat/{chatId}/stop",
                () -> Write.of("POST", "/api/ai-sdk/chat/" + server.newChat() + "/stop"));
        Map<String, ?> words = Map.of("id", "m1", "role", "user", "content", "hello");
        run(
                "/api/ag-ui",
                path ->
                        Write.json(
                                "POST",
                                path,
                                Map.of(
                                        "threadId",
                                        Subjects.name(),
                                        "runId",
                                        "r1",
                                        "messages",
                                        List.of(words))));
        add(
                "POST /api/ag-ui/{threadId}/stop",
                () -> Write.of("POST", "/api/ag-ui/" + server.newChat() + "/stop"));
    }

    private void rest() {
        add("POST /api/login-links", () -> Write.of("POST", "/api/login-links"));
        add("POST /api/keys", () -> Write.json("POST", "/api/keys", Map.of("name", "laptop")));
        add(
                "DELETE /api/keys/{id}",
                () -> {
                    String key =
                            subjects.post("/api/keys", Map.of("name", "old"))
                                    .get("id")
                                    .stringValue();
                    return Write.of("DELETE", "/api/keys/" + key);
                });
    }

    private void add(String operation, Maker maker) {
        makers.put(operation, maker);
    }

    private interface RunMaker {
        Write make(String path) throws Exception;
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
