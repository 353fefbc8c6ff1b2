package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The interrupts of {@code HttpAgent}: what an agent asks, and the resume that continues it. */
class AgUiInterruptTest extends AgUiFixture {
    private static final Map<String, Object> APPROVED = resolved(Map.of("approved", true));

    @Override
    TestServer server(URI runner) throws Exception {
        return TestServer.startWithModel(runner);
    }

    @Test
    void anApprovedInterruptContinuesTheCall() throws Exception {
        try (NodeClient agent = agent()) {
            asked(agent, AskScript.APPROVAL);
            assertThat(outcome(agent)).isEqualTo("interrupt");
            assertThat(last(agent, "RUN_FINISHED").at("/outcome/interrupts/0/id").stringValue())
                    .isEqualTo("call_1_0");

            agent.order(Map.of("do", "resume", "responses", Map.of("call_1_0", APPROVED)));
            RunOnStage next = sandbox.next();
            assertThat(AskScript.answers(next).at("/0/decision").stringValue()).isEqualTo("allow");
            next.stepStarts("call_1_0", "sh").stepSucceeds("call_1_0", "sh").answers("Done.");

            assertThat(summary(settled(agent)))
                    .containsExactly(
                            "user:clean up",
                            "assistant:I clean up.",
                            "assistant[sh]",
                            "tool:{\"ok\":true}",
                            "assistant:Done.");
            assertThat(outcome(agent)).isEqualTo("success");
        }
    }

    @Test
    void aClientThatConnectsLaterMayRefuse() throws Exception {
        try (NodeClient first = agent()) {
            asked(first, AskScript.APPROVAL);
        }
        try (NodeClient agent = agent()) {
            agent.order(Map.of("do", "connect"));
            settled(agent);
            assertThat(outcome(agent)).isEqualTo("interrupt");
            agent.order(
                    Map.of(
                            "do",
                            "resume",
                            "responses",
                            Map.of("call_1_0", Map.of("status", "cancelled"))));
            RunOnStage next = sandbox.next();
            assertThat(AskScript.answers(next).at("/0/decision").stringValue()).isEqualTo("deny");
            next.say(
                    "{\"type\":\"step\",\"id\":\"call_1_0\",\"name\":\"sh\",\"status\":\"failed\","
                            + "\"error\":\"The person denied this call.\"}");
            next.answers("Then not.");

            assertThat(summary(settled(agent)))
                    .containsExactly(
                            "user:clean up",
                            "assistant:I clean up.",
                            "assistant[sh]",
                            "tool:{\"error\":\"The person denied this call.\"}",
                            "assistant:Then not.");
        }
    }

    @Test
    void aQuestionIsAnsweredWithText() throws Exception {
        try (NodeClient agent = agent()) {
            asked(agent, AskScript.APPROVAL, AskScript.QUESTION);
            agent.order(
                    Map.of(
                            "do",
                            "resume",
                            "responses",
                            Map.of(
                                    "call_1_0",
                                    APPROVED,
                                    "call_1_1",
                                    resolved(Map.of("text", "2026")))));
            RunOnStage next = sandbox.next();
            assertThat(AskScript.answers(next).at("/1/text").stringValue()).isEqualTo("2026");
            next.answers("Done.");
            settled(agent);
            assertThat(outcome(agent)).isEqualTo("success");
        }
    }

    /** The client has the messages from before the answer, and a snapshot has them again. */
    @Test
    void aRetryAfterAnAnswerDoublesNoMessage() throws Exception {
        try (NodeClient agent = agent()) {
            asked(agent, AskScript.APPROVAL);
            agent.order(Map.of("do", "resume", "responses", Map.of("call_1_0", APPROVED)));
            RunOnStage next = sandbox.next();
            next.stepStarts("call_1_0", "sh").stepSucceeds("call_1_0", "sh");
            next.say("{\"type\":\"delta\",\"text\":\"Half an ans\"}");
            next.say(
                    "{\"type\":\"retry\",\"attempt\":1,\"delayMs\":4000,\"code\":\"529\",\"message\":\"busy\"}");
            next.answers("Done.");

            JsonNode _ = settled(agent);
            assertThat(summary(last(agent, "MESSAGES_SNAPSHOT").get("messages")))
                    .containsExactly(
                            "user:clean up",
                            "assistant:I clean up.",
                            "assistant[sh]",
                            "tool:{\"ok\":true}");
        }
    }

    @Test
    void aResumeOfNothingThatIsOpenIsRefused() throws Exception {
        assertThat(resume("call_1_0").statusCode()).isEqualTo(409);
        try (NodeClient agent = agent()) {
            asked(agent, AskScript.APPROVAL);
            assertThat(resume("call_9_9").statusCode()).isEqualTo(409);
            agent.order(Map.of("do", "resume", "responses", Map.of("call_1_0", APPROVED)));
            RunOnStage next = sandbox.next();
            assertThat(resume("call_1_0").statusCode()).isEqualTo(409);
            next.answers("Done.");
            settled(agent);
            assertThat(resume("call_1_0").statusCode()).isEqualTo(409);
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    private HttpResponse<String> resume(String ask) throws Exception {
        return server.post(
                "/api/ag-ui",
                Map.of(
                        "threadId",
                        thread,
                        "runId",
                        "again",
                        "messages",
                        List.of(),
                        "resume",
                        List.of(Map.of("interruptId", ask, "status", "resolved"))));
    }

    private static Map<String, Object> resolved(Map<String, ?> payload) {
        return Map.of("status", "resolved", "payload", payload);
    }

    private void asked(NodeClient agent, String... asks) throws Exception {
        agent.order(Map.of("do", "run", "id", "m1", "content", "clean up"));
        AskScript.asks(sandbox.next(), asks);
        JsonNode _ = settled(agent);
    }

    private static JsonNode last(NodeClient agent, String type) {
        return agent.seen().stream()
                .filter(report -> event(report, type))
                .map(report -> report.get("event"))
                .reduce((_, last) -> last)
                .orElseThrow();
    }
}
