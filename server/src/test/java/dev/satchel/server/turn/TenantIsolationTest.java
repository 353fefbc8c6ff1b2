package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The ids of one tenant are unknown to another. */
class TenantIsolationTest {
    private ScriptedSandbox sandbox;
    private TestServer server;
    private String stranger;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(sandbox.url());
        stranger =
                Json.MAPPER
                        .readTree(
                                server.post(
                                                "/api/keys",
                                                Map.of("name", "other", "workspaceId", "acme"))
                                        .body())
                        .get("key")
                        .stringValue();
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void everyRouteOfAChatIsNotFoundForAnotherTenant() throws Exception {
        String chat = server.newChat();
        JsonNode file = server.upload(chat, "a.txt", "secret");
        try (Events events = server.turn(Map.of("message", "hello", "chatId", chat))) {
            String run = events.next().orElseThrow().data().get("runId").stringValue();
            RunOnStage stage = sandbox.next();
            String base = "/api/assistant/chats/" + chat;
            for (String path :
                    List.of(
                            base,
                            base + "/stream",
                            base + "/files",
                            base + "/files.zip",
                            base + "/files/" + file.get("id").stringValue(),
                            "/api/runs/" + run,
                            "/api/runs/" + run + "/trace",
                            "/api/runs/" + run + "/events",
                            "/api/runs/" + run + "/files")) {
                assertThat(asStranger("GET", path, "")).as(path).isEqualTo(404);
            }
            assertThat(asStranger("PATCH", base, "{\"title\":\"mine\"}")).isEqualTo(404);
            assertThat(asStranger("DELETE", base, "")).isEqualTo(404);
            assertThat(asStranger("POST", base + "/restore", "")).isEqualTo(404);
            assertThat(asStranger("POST", base + "/cancel", "")).isEqualTo(404);
            assertThat(asStranger("POST", "/api/runs/" + run + "/cancel", "")).isEqualTo(404);
            stage.answers("undisturbed");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    @Test
    void aTurnOnAnotherTenantsChatOrWithItsFilesIsRefused() throws Exception {
        String chat = server.newChat();
        JsonNode file = server.upload(chat, "a.txt", "secret");
        String turn = "/api/assistant/chat/stream";

        assertThat(asStranger("POST", turn, "{\"message\":\"x\",\"chatId\":\"" + chat + "\"}"))
                .isEqualTo(404);
        assertThat(
                        asStranger(
                                "POST",
                                turn,
                                "{\"message\":\"x\",\"attachmentIds\":[\""
                                        + file.get("id").stringValue()
                                        + "\"]}"))
                .isEqualTo(422);
        assertThat(asStranger("POST", turn, "{\"message\":\"x\",\"workspaceId\":\"default\"}"))
                .isEqualTo(404);
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    private int asStranger(String method, String path, String body) throws Exception {
        return server.send(
                        HttpRequest.newBuilder(server.url(path))
                                .header("Authorization", "Bearer " + stranger)
                                .method(method, BodyPublishers.ofString(body))
                                .build())
                .statusCode();
    }
}
