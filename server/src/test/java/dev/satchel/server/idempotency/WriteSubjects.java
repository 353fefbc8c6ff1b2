package dev.satchel.server.idempotency;

import dev.satchel.protocol.Json;
import dev.satchel.server.skill.TestSkills;
import dev.satchel.server.testing.AuthorizationServer;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Creates the chats, files and sessions that requests change. */
final class WriteSubjects {
    private final TestServer server;
    private final AuthorizationServer service;

    WriteSubjects(TestServer server, AuthorizationServer service) {
        this.server = server;
        this.service = service;
    }

    static String name() {
        return "n" + UUID.randomUUID();
    }

    static Map<String, String> agentSpec() {
        return Map.of("name", name());
    }

    static WriteRequest attachment(String session) {
        return WriteRequest.json(
                "POST",
                session + "/attachments",
                Map.of("filename", "notes.txt", "content", EveryWrite.CONTENT));
    }

    static WriteRequest tus(String method, String path) {
        return WriteRequest.of(method, path).with("Tus-Resumable", "1.0.0");
    }

    String file() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "notes.txt", "hello").get("id").stringValue();
        return EveryWrite.CHATS + chat + "/files/" + file;
    }

    /** The path of a share of a new chat. */
    String share() throws Exception {
        String shares = EveryWrite.CHATS + server.newChat() + "/shares";
        JsonNode share = post(shares, Map.of("with", "link"));
        return shares + "/" + share.get("id").stringValue();
    }

    /** A message that waits because the turn before it was cancelled. */
    String queuedMessage() throws Exception {
        String chat = server.newChat();
        String path = "/api/assistant/chat/stream";
        try (TestServer.Events running =
                server.turn(Map.of("message", "/sh sleep 60", "chatId", chat))) {
            String queued =
                    post(path, Map.of("message", "later", "chatId", chat, "whenBusy", "queue"))
                            .get("messageId")
                            .stringValue();
            JsonNode _ = post(EveryWrite.CHATS + chat + "/cancel", Map.of());
            running.rest();
            return EveryWrite.CHATS + chat + "/queue/" + queued;
        }
    }

    String asset() throws Exception {
        return send(WriteRequest.form("/api/assets", "old.txt")).at("/assets/0/id").stringValue();
    }

    String upload() throws Exception {
        WriteRequest upload = WriteRequest.form(EveryWrite.AGENT_SERVER + "upload", "notes.txt");
        return send(upload).at("/files/0/fileId").stringValue();
    }

    /** A response that has ended. */
    String response() throws Exception {
        JsonNode response = post("/v1/responses", Map.of("model", "satchel", "input", "hello"));
        return response.get("id").stringValue();
    }

    String openAiFile() throws Exception {
        return send(WriteRequest.form("/v1/files", "old.txt")).get("id").stringValue();
    }

    String tusUpload() throws Exception {
        WriteRequest creation = tus("POST", "/api/uploads").with("Upload-Length", "5");
        HttpResponse<String> made = server.send(creation.request(server, name()));
        String location = made.headers().firstValue("Location").orElseThrow();
        return location.substring(location.indexOf("/api/uploads"));
    }

    String agentsName() throws Exception {
        return post("/api/agents", agentSpec()).get("name").stringValue();
    }

    String agent() throws Exception {
        return "/api/agents/" + post("/api/agents", agentSpec()).get("id").stringValue();
    }

    String credential() throws Exception {
        Map<String, String> body = Map.of("name", "key-" + UUID.randomUUID(), "value", "v");
        return "/api/credentials/" + post("/api/credentials", body).get("name").stringValue();
    }

    String oauthCredential() throws Exception {
        Map<String, Object> body =
                Map.of(
                        "name",
                        "login-" + UUID.randomUUID(),
                        "oauth",
                        Map.of("resource", service.url("/mcp")));
        return "/api/credentials/" + post("/api/credentials", body).get("name").stringValue();
    }

    /** What a service sends after a person has logged in. */
    Map<String, String> login() throws Exception {
        JsonNode begun = post(oauthCredential() + "/authorization", Map.of());
        return service.logIn(begun.get("authorizationUrl").stringValue());
    }

    String session() throws Exception {
        JsonNode made = post("/api/sessions", Map.of("agent", agentsName()));
        return EveryWrite.SESSIONS + made.at("/session/id").stringValue();
    }

    JsonNode headless(String prompt) throws Exception {
        return post(agent() + "/runs", Map.of("prompt", prompt));
    }

    JsonNode post(String path, Map<String, ?> body) throws Exception {
        return send(WriteRequest.json("POST", path, body));
    }

    JsonNode send(WriteRequest write) throws Exception {
        HttpResponse<String> response = server.send(write.request(server, name()));
        if (response.statusCode() >= 300) {
            throw new AssertionError(write + " was answered with " + response.body());
        }
        return Json.MAPPER.readTree(response.body());
    }

    /** As a tar, which is text as long as its files are. */
    static WriteRequest skill(String name) throws IOException {
        byte[] archive = TestSkills.tar(TestSkills.skill(name, "echo done"));
        return WriteRequest.form(
                "/api/skills", "skill.tar", new String(archive, StandardCharsets.US_ASCII));
    }
}
