package dev.satchel.server.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A run that has asked a person and waits. */
@Timeout(180)
class WaitingRunTest {
    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.startWithModel(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    private record Waiting(String chatId, String runId, List<Event> events) {}

    /** A turn that asks this and waits. */
    private Waiting waiting(String... asks) throws Exception {
        try (Events events = server.turn(Map.of("message", "clean up"))) {
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"journal\",\"n\":1,\"entry\":\"{}\"}");
            for (String ask : asks) {
                run.say(ask);
            }
            run.say("{\"type\":\"parked\",\"ts\":7}").hangsUp();
            List<Event> all = events.rest();
            JsonNode first = all.getFirst().data();
            return new Waiting(
                    first.get("chatId").stringValue(), first.get("runId").stringValue(), all);
        }
    }

    private String status(Waiting run) throws Exception {
        return server.getJson("/api/runs/" + run.runId()).get("status").stringValue();
    }

    private HttpResponse<String> answer(Waiting run, Object... answers) throws Exception {
        return server.post("/api/runs/" + run.runId() + "/answers", Map.of("answers", answers));
    }

    private static Map<String, String> allow(String ask) {
        return Map.of("askId", ask, "decision", "allow");
    }

    @Test
    void streamShowsTheAskAndEndsWhileTheRunWaits() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL);
        assertThat(run.events()).extracting(Event::type).containsExactly("chat", "ask", "end");
        assertThat(run.events().getLast().data().get("status").stringValue()).isEqualTo("waiting");
        assertThat(status(run)).isEqualTo("waiting");
        JsonNode chat = server.getJson("/api/assistant/chats/" + run.chatId());
        assertThat(chat.at("/activeRun/status").stringValue()).isEqualTo("waiting");
        assertThat(chat.get("messages")).hasSize(1); // the answer is not there yet
    }

    @Test
    void conversationIsLockedAndItsStreamCanBeReadAgain() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL);
        String chat = "/api/assistant/chats/" + run.chatId();
        HttpResponse<String> second =
                server.post(
                        "/api/assistant/chat/stream",
                        Map.of("message", "hello?", "chatId", run.chatId()));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(sandbox.nothingDispatched()).isTrue();
        try (Events again = server.events(server.request(chat + "/stream").build())) {
            assertThat(again.rest()).extracting(Event::type).containsExactly("chat", "ask", "end");
        }
        String last = run.events().getLast().id();
        HttpResponse<String> nothing =
                server.send(server.request(chat + "/stream").header("Last-Event-ID", last).build());
        assertThat(nothing.statusCode()).isEqualTo(204);
    }

    @Test
    void traceHasTheLineThatParked() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL);
        assertThat(server.get("/api/runs/" + run.runId() + "/trace").body())
                .contains("\"type\":\"parked\"");
    }

    @Test
    void openAsksAreListedForTheirTenantOnly() throws Exception {
        Waiting first = waiting(AskScript.APPROVAL, AskScript.QUESTION);
        Waiting second = waiting(AskScript.QUESTION);
        JsonNode asks = server.getJson("/api/asks?status=open").get("asks");
        assertThat(asks).hasSize(3);
        assertThat(asks.get(0).get("runId").stringValue()).isEqualTo(second.runId());
        assertThat(asks.get(0).get("options")).hasSize(2);
        assertThat(asks.get(0).get("chatId").stringValue()).isEqualTo(second.chatId());
        JsonNode page = server.getJson("/api/asks?limit=2");
        JsonNode rest = server.getJson("/api/asks?cursor=" + page.get("nextCursor").stringValue());
        assertThat(rest.get("asks")).hasSize(1);
        String other = server.keyOf("other");
        assertThat(
                        Json.MAPPER
                                .readTree(server.sendAs(other, "GET", "/api/asks").body())
                                .get("asks"))
                .isEmpty();
        HttpResponse<String> foreign =
                server.send(
                        server.request("/api/runs/" + first.runId() + "/answers")
                                .setHeader("Authorization", "Bearer " + other)
                                .POST(
                                        BodyPublishers.ofString(
                                                Json.MAPPER.writeValueAsString(
                                                        Map.of(
                                                                "answers",
                                                                List.of(allow("call_1_0"))))))
                                .build());
        assertThat(foreign.statusCode()).isEqualTo(404);
        assertThat(server.get("/api/asks?status=perhaps").statusCode()).isEqualTo(400);
    }

    @Test
    void oneOfTwoAnswersLeavesTheRunWaiting() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL, AskScript.QUESTION);
        HttpResponse<String> answered = answer(run, allow("call_1_0"));
        assertThat(answered.statusCode()).as(answered.body()).isEqualTo(202);
        assertThat(Json.MAPPER.readTree(answered.body()).get("open").intValue()).isEqualTo(1);
        assertThat(status(run)).isEqualTo("waiting");
        assertThat(answer(run, allow("call_1_0")).statusCode()).isEqualTo(409);
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void invalidAnswersAreRefusedAndNothingIsStored() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL, AskScript.QUESTION);
        assertThat(answer(run, allow("call_9_9")).statusCode()).isEqualTo(404);
        assertThat(answer(run, allow("call_1_0"), allow("call_9_9")).statusCode()).isEqualTo(404);
        assertThat(answer(run, allow("call_1_0"), allow("call_1_0")).statusCode()).isEqualTo(400);
        assertThat(answer(run, Map.of("askId", "call_1_0", "text", "why not")).statusCode())
                .isEqualTo(400);
        assertThat(answer(run, Map.of("askId", "call_1_0", "decision", "maybe")).statusCode())
                .isEqualTo(400);
        assertThat(answer(run, allow("call_1_1")).statusCode()).isEqualTo(400); // no text
        Map<String, String> rememberedText =
                Map.of("askId", "call_1_1", "text", "2026", "remember", "chat");
        assertThat(answer(run, rememberedText).statusCode()).isEqualTo(400);
        assertThat(server.getJson("/api/asks").get("asks")).hasSize(2);
        HttpResponse<String> noRun =
                server.post("/api/runs/none/answers", Map.of("answers", List.of(allow("a"))));
        assertThat(noRun.statusCode()).isEqualTo(404);
    }

    @Test
    void cancellingEndsTheRunAndFreesTheChat() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL);
        HttpResponse<String> cancelled =
                server.post("/api/assistant/chats/" + run.chatId() + "/cancel", Map.of());
        assertThat(cancelled.statusCode()).isEqualTo(202);
        assertThat(status(run)).isEqualTo("cancelled");
        JsonNode chat = server.getJson("/api/assistant/chats/" + run.chatId());
        assertThat(chat.get("activeRun").isNull()).isTrue();
        JsonNode step = chat.at("/messages/1/content/0");
        assertThat(step.get("status").stringValue()).isEqualTo("interrupted");
        assertThat(answer(run, allow("call_1_0")).statusCode()).isEqualTo(409);
        assertThat(server.getJson("/api/asks").get("asks")).isEmpty();
        assertThat(server.getJson("/api/asks?status=ended").get("asks")).hasSize(1);
        try (Events next = server.turn(Map.of("message", "go on", "chatId", run.chatId()))) {
            sandbox.next().answers("ok");
            assertThat(next.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    @Test
    void runIsCancelledByItsOwnRoute() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL);
        HttpResponse<String> cancelled =
                server.post("/api/runs/" + run.runId() + "/cancel", Map.of());
        assertThat(Json.MAPPER.readTree(cancelled.body()).get("cancelled").booleanValue()).isTrue();
        assertThat(status(run)).isEqualTo("cancelled");
    }

    @Test
    void deletedChatHasNoOpenAskAndCanBeRestored() throws Exception {
        Waiting run = waiting(AskScript.APPROVAL);
        String chat = "/api/assistant/chats/" + run.chatId();
        assertThat(server.send(server.request(chat).DELETE().build()).statusCode()).isEqualTo(204);
        assertThat(server.getJson("/api/asks").get("asks")).isEmpty();
        assertThat(answer(run, allow("call_1_0")).statusCode()).isEqualTo(404);
        assertThat(server.post(chat + "/restore", Map.of()).statusCode()).isEqualTo(200);
        assertThat(status(run)).isEqualTo("cancelled");
        assertThat(
                        server.send(
                                        server.request("/agent-server/api/sessions/" + run.chatId())
                                                .DELETE()
                                                .build())
                                .statusCode())
                .isEqualTo(204);
        assertThat(server.getJson("/api/asks?status=ended").get("asks")).isEmpty();
    }

    @Test
    void parkedWithoutAnAskBreaksTheProtocol() throws Exception {
        Waiting run = waiting();
        assertThat(status(run)).isEqualTo("failed");
        assertThat(run.events().get(1).data().get("code").stringValue())
                .isEqualTo("protocol_error");
    }

    @Test
    void permissionsOfAnAgentAreCheckedAndReturned() throws Exception {
        HttpResponse<String> created =
                server.post(
                        "/api/agents",
                        Map.of(
                                "name",
                                "careful",
                                "permissions",
                                Map.of("*", "allow", "sh", "ask", "mcp:github:*", "deny")));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(Json.MAPPER.readTree(created.body()).at("/permissions/sh").stringValue())
                .isEqualTo("ask");
        for (Map<String, String> bad :
                List.of(Map.of("sh", "never"), Map.of("s*h", "ask"), Map.of("", "ask"))) {
            assertThat(
                            server.post("/api/agents", Map.of("name", "bad", "permissions", bad))
                                    .statusCode())
                    .isEqualTo(400);
        }
    }
}
