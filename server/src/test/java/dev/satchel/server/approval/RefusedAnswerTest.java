package dev.satchel.server.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers to asks that do not exist, belong to others, or are closed. */
@Timeout(180)
class RefusedAnswerTest {
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

    @Test
    void anUnknownRunOrAskIsNotFound() throws Exception {
        String run = waiting(AskScript.APPROVAL);
        assertThat(answer(UUID.randomUUID().toString(), "call_1_0").statusCode()).isEqualTo(404);
        assertThat(answer("no-run", "call_1_0").statusCode()).isEqualTo(404);
        assertThat(answer(run, "call_1_1").statusCode()).isEqualTo(404);
        requireOpen();
    }

    @Test
    void anAskOfAnotherRunIsNotFound() throws Exception {
        String one = waiting(AskScript.APPROVAL);
        String two = waiting(AskScript.QUESTION);
        assertThat(answer(one, "call_1_1").statusCode()).isEqualTo(404);
        assertThat(answer(two, "call_1_0").statusCode()).isEqualTo(404);
        requireOpen();
    }

    @Test
    void anotherTenantFindsNeitherTheRunNorItsAsk() throws Exception {
        String run = waiting(AskScript.APPROVAL);
        String body =
                Json.MAPPER.writeValueAsString(
                        Map.of(
                                "answers",
                                List.of(Map.of("askId", "call_1_0", "decision", "allow"))));
        HttpResponse<String> foreign =
                server.send(
                        server.request("/api/runs/" + run + "/answers")
                                .setHeader("Authorization", "Bearer " + server.keyOf("other"))
                                .POST(BodyPublishers.ofString(body))
                                .build());
        assertThat(foreign.statusCode()).isEqualTo(404);
        requireOpen();
        assertThat(answer(run, "call_1_0").statusCode()).isEqualTo(202);
        sandbox.next().answers("done");
    }

    @Test
    void anAnsweredAskIsAConflictWhileTheRunGoesOnAndWhenItHasEnded() throws Exception {
        String run = waiting(AskScript.APPROVAL);
        assertThat(answer(run, "call_1_0").statusCode()).isEqualTo(202);
        RunOnStage next = sandbox.next();
        assertThat(answer(run, "call_1_0").statusCode()).isEqualTo(409);
        try (Events events =
                server.events(server.request("/api/runs/" + run + "/events").build())) {
            next.answers("done");
            events.rest();
        }
        HttpResponse<String> late = answer(run, "call_1_0");
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body()).contains("is answered already");
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void theAskOfARunThatHasEndedIsAConflict() throws Exception {
        String run = waiting(AskScript.APPROVAL);
        server.post("/api/runs/" + run + "/cancel", Map.of());
        HttpResponse<String> late = answer(run, "call_1_0");
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body()).contains("the run has ended");
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    /** All refused answers have changed nothing. */
    private void requireOpen() throws Exception {
        assertThat(server.getJson("/api/asks?status=answered").get("asks")).isEmpty();
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    private String waiting(String ask) throws Exception {
        try (Events events = server.turn(Map.of("message", "clean up"))) {
            AskScript.asks(sandbox.next(), ask);
            return events.rest().getFirst().data().get("runId").stringValue();
        }
    }

    private HttpResponse<String> answer(String run, String ask) throws Exception {
        return server.post(
                "/api/runs/" + run + "/answers",
                Map.of("answers", List.of(Map.of("askId", ask, "decision", "allow"))));
    }
}
