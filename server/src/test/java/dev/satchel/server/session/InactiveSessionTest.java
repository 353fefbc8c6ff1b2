package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A session that is not active refuses turns in the same way through every protocol. */
@Timeout(60)
class InactiveSessionTest {
    private SharedDisk disk;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @ParameterizedTest
    @CsvSource({
        "pause, paused, messages",
        "pause, paused, exec",
        "pause, paused, chat",
        "pause, paused, agent-server",
        "pause, paused, ai-sdk",
        "pause, paused, ag-ui",
        "stop, stopped, messages",
        "stop, stopped, exec",
        "stop, stopped, chat",
        "stop, stopped, agent-server",
        "stop, stopped, ai-sdk",
        "stop, stopped, ag-ui"
    })
    void everyProtocolRefusesATurnUntilTheSessionIsResumed(
            String change, String status, String protocol) throws Exception {
        String session = disk.create();
        disk.post(session, change);

        HttpResponse<String> refused = send(protocol, session);

        assertThat(refused.statusCode()).isEqualTo(400);
        JsonNode error = Json.MAPPER.readTree(refused.body());
        assertThat(error.get("error").stringValue()).isEqualTo("Session is " + status);
        assertThat(error.path("code").stringValue("session_not_active"))
                .isEqualTo("session_not_active");
        assertThat(disk.sandbox().nothingDispatched()).isTrue();
        assertThat(messages(session)).isEmpty();
        JsonNode read = disk.server().getJson("/api/sessions/" + session);
        assertThat(read.at("/session/status").stringValue()).isEqualTo(status);

        disk.post(session, "resume");
        disk.turn(session, "a.txt", "works again");
        assertThat(messages(session)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"messages", "exec", "chat", "agent-server", "ai-sdk", "ag-ui"})
    void everyProtocolRefusesATurnOfASessionThatHasEnded(String protocol) throws Exception {
        String session = disk.create();
        disk.end(session);

        HttpResponse<String> refused = send(protocol, session);

        assertThat(refused.statusCode()).isEqualTo(410);
        assertThat(Json.MAPPER.readTree(refused.body()).get("error").stringValue())
                .isEqualTo("Session has ended \u2014 create a new session");
        assertThat(disk.sandbox().nothingDispatched()).isTrue();
    }

    @Test
    void aRefusedTurnLeavesItsUploadsUnclaimed() throws Exception {
        String session = disk.create();
        disk.post(session, "pause");
        HttpResponse<String> uploaded =
                disk.server()
                        .send(
                                disk.server()
                                        .request("/agent-server/api/upload")
                                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                        .POST(new MultipartBody().file("a.txt", "kept").publisher())
                                        .build());
        String file = Json.MAPPER.readTree(uploaded.body()).at("/files/0/fileId").stringValue();
        Map<String, Object> turn =
                Map.of("message", "look", "context", Map.of("fileIds", List.of(file)));

        assertThat(disk.server().post("/agent-server/api/chat/" + session, turn).statusCode())
                .isEqualTo(400);

        assertThat(disk.server().getJson("/api/assistant/chats/" + session + "/files").get("files"))
                .isEmpty();
        disk.post(session, "resume");
        String claim = "/api/assistant/chats/" + session + "/files/claim";
        assertThat(disk.server().post(claim, Map.of("fileIds", List.of(file))).statusCode())
                .isEqualTo(201);
    }

    private HttpResponse<String> send(String protocol, String session) throws Exception {
        return switch (protocol) {
            case "messages" -> post("/api/sessions/" + session + "/messages", "content", "hello");
            case "exec" -> post("/api/sessions/" + session + "/exec", "command", "ls");
            case "agent-server" -> post("/agent-server/api/chat/" + session, "message", "hello");
            case "chat" ->
                    disk.server()
                            .post(
                                    "/api/assistant/chat/stream",
                                    Map.of("message", "hello", "chatId", session));
            case "ai-sdk" ->
                    disk.server()
                            .post(
                                    "/api/ai-sdk/chat",
                                    Map.of(
                                            "id",
                                            session,
                                            "messages",
                                            List.of(
                                                    Map.of(
                                                            "role",
                                                            "user",
                                                            "parts",
                                                            List.of(
                                                                    Map.of(
                                                                            "type", "text", "text",
                                                                            "hello"))))));
            case "ag-ui" ->
                    disk.server()
                            .post(
                                    "/api/ag-ui",
                                    Map.of(
                                            "threadId",
                                            session,
                                            "runId",
                                            "r1",
                                            "messages",
                                            List.of(
                                                    Map.of(
                                                            "id", "m1", "role", "user", "content",
                                                            "hello"))));
            default -> throw new IllegalArgumentException(protocol);
        };
    }

    private HttpResponse<String> post(String path, String field, String value) throws Exception {
        return disk.server().post(path, Map.of(field, value));
    }

    private JsonNode messages(String session) throws Exception {
        return disk.server().getJson("/api/assistant/chats/" + session).get("messages");
    }
}
