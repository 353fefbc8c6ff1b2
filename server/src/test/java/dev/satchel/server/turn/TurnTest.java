package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class TurnTest {
    private final ScriptedSandbox sandbox;

    TurnTest() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @AfterEach
    void stop() {
        sandbox.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aTurnStreamsItsStepsAndReloadsAsItWasShown(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url());
                Events events = server.turn(Map.of("message", "Add a node"))) {
            Event chat = events.next().orElseThrow();
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"log\",\"level\":\"info\",\"message\":\"Loaded 3 skills\"}")
                    .stepStarts("s1", "recipes/add-node.sh")
                    .stepSucceeds("s1", "recipes/add-node.sh")
                    .answers("Added a node.");
            List<Event> rest = events.rest();

            assertThat(chat.type()).isEqualTo("chat");
            assertThat(rest)
                    .extracting(Event::type)
                    .containsExactly("step", "step", "result", "end");
            assertThat(rest.getLast().data().get("status").stringValue()).isEqualTo("succeeded");
            String runId = chat.data().get("runId").stringValue();
            assertThat(chat.id()).isEqualTo(runId + ":1");
            assertThat(rest.getFirst().id()).isEqualTo(runId + ":3"); // the log line has number 2

            JsonNode thread =
                    server.getJson(
                            "/api/assistant/chats/" + chat.data().get("chatId").stringValue());
            assertThat(thread.get("conversationId").isNull()).isTrue();
            assertThat(thread.get("type").stringValue()).isEqualTo("assistant_sandbox");
            JsonNode answer = thread.get("messages").get(1);
            assertThat(answer.get("role").stringValue()).isEqualTo("assistant");
            assertThat(Json.MAPPER.writeValueAsString(answer.get("content")))
                    .isEqualTo(
                            "[{\"type\":\"step\",\"id\":\"s1\",\"name\":\"recipes/add-node.sh\",\"status\":\"succeeded\","
                                    + "\"result\":{\"ok\":true},\"durationMs\":5,\"startedAt\":1,\"endedAt\":6},"
                                    + "{\"type\":\"text\",\"text\":\"Added a node.\"}]");
            assertThat(rest.get(2).data().get("messageId")).isEqualTo(answer.get("id"));
        }
    }

    @Test
    void aSecondTurnIsRefusedWhileTheFirstRunsAndAcceptedAfter() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events events = server.turn(Map.of("message", "one", "userMessageId", "m-1"))) {
            String chatId = events.next().orElseThrow().data().get("chatId").stringValue();

            HttpResponse<String> second =
                    server.post(
                            "/api/assistant/chat/stream",
                            Map.of("message", "two", "chatId", chatId));

            assertThat(second.statusCode()).isEqualTo(409);
            JsonNode problem = Json.MAPPER.readTree(second.body());
            assertThat(problem.get("code").stringValue()).isEqualTo("turn_in_progress");
            assertThat(problem.get("activeMessageId").stringValue()).isEqualTo("m-1");
            sandbox.next().answers("first");
            events.rest();
            try (Events third = server.turn(Map.of("message", "three", "chatId", chatId))) {
                sandbox.next().answers("second");
                assertThat(third.rest().getLast().data().get("status").stringValue())
                        .isEqualTo("succeeded");
            }
        }
    }

    @Test
    void withoutASandboxATurnIsRefusedAndNothingIsStored() throws Exception {
        try (TestServer server = TestServer.start((java.net.URI) null)) {
            HttpResponse<String> response =
                    server.post("/api/assistant/chat/stream", Map.of("message", "hello"));

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).contains("sandbox_not_configured");
            assertThat(server.getJson("/api/assistant/chats").get("chats").size()).isZero();
        }
    }
}
