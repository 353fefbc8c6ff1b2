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
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The tool approval of {@code useChat}: what an agent asks, and the answer that continues it. */
@ParameterizedClass
@ValueSource(strings = {"6", "7"})
class UseChatApprovalTest extends UseChatFixture {
    @Override
    TestServer server(URI runner) throws Exception {
        return TestServer.startWithModel(runner);
    }

    @Test
    void anApprovedCallContinuesInTheSameMessage() throws Exception {
        try (NodeClient page = page()) {
            JsonNode asked = asked(page, AskScript.APPROVAL);
            assertThat(summary(answer(asked)))
                    .containsExactly(
                            "step-start", "text:I clean up.", "dynamic-tool:approval-requested");
            assertThat(answer(asked).at("/2/input/command").stringValue()).isEqualTo("rm -r build");
            assertThat(sandbox.nothingDispatched()).isTrue();

            page.order(Map.of("do", "decide", "id", "call_1_0", "approved", true));
            RunOnStage next = sandbox.next();
            assertThat(AskScript.answers(next).at("/0/decision").stringValue()).isEqualTo("allow");
            next.stepStarts("call_1_0", "sh").stepSucceeds("call_1_0", "sh").answers("Done.");

            JsonNode settled = settled(page);
            assertThat(settled.get("messages")).hasSize(2);
            assertThat(summary(answer(settled)))
                    .containsExactly(
                            "step-start",
                            "text:I clean up.",
                            "dynamic-tool:output-available",
                            "step-start",
                            "text:Done.");
        }
    }

    @Test
    void aReloadedPageShowsWhatIsAskedAndMayDenyIt() throws Exception {
        try (NodeClient first = page()) {
            asked(first, AskScript.APPROVAL);
        }
        try (NodeClient page = page("resume")) {
            page.await("it asks again", report -> report.has("finished"));
            page.order(
                    Map.of(
                            "do",
                            "decide",
                            "id",
                            "call_1_0",
                            "approved",
                            false,
                            "reason",
                            "Not today."));
            RunOnStage next = sandbox.next();
            JsonNode given = AskScript.answers(next).get(0);
            assertThat(given.get("decision").stringValue()).isEqualTo("deny");
            assertThat(given.get("text").stringValue()).isEqualTo("Not today.");
            next.say(
                    "{\"type\":\"step\",\"id\":\"call_1_0\",\"name\":\"sh\",\"status\":\"failed\","
                            + "\"error\":\"The person denied this call.\"}");
            next.answers("Then not.");

            assertThat(summary(answer(settled(page))))
                    .containsExactly(
                            "step-start",
                            "text:I clean up.",
                            "dynamic-tool:output-error",
                            "step-start",
                            "text:Then not.");
        }
    }

    @Test
    void aQuestionIsAnsweredByTheReasonWhenAllIsAnswered() throws Exception {
        try (NodeClient page = page()) {
            asked(page, AskScript.APPROVAL, AskScript.QUESTION);
            page.order(Map.of("do", "decide", "id", "call_1_0", "approved", true));
            page.await(
                    "one of two is answered",
                    report -> summary(answer(report)).contains("dynamic-tool:approval-responded"));
            assertThat(sandbox.nothingDispatched()).isTrue();
            page.order(
                    Map.of("do", "decide", "id", "call_1_1", "approved", true, "reason", "2026"));
            RunOnStage next = sandbox.next();
            assertThat(AskScript.answers(next).at("/1/text").stringValue()).isEqualTo("2026");
            next.stepSucceeds("call_1_0", "sh").stepSucceeds("call_1_1", "ask_user");
            next.answers("Done.");

            assertThat(summary(answer(settled(page))))
                    .filteredOn(part -> part.startsWith("dynamic-tool"))
                    .containsExactly(
                            "dynamic-tool:output-available", "dynamic-tool:output-available");
        }
    }

    @Test
    void anAnswerThatThePageSendsTwiceIsRefused() throws Exception {
        try (NodeClient page = page()) {
            asked(page, AskScript.APPROVAL);
            page.order(Map.of("do", "decide", "id", "call_1_0", "approved", true));
            RunOnStage next = sandbox.next();
            assertThat(approve("call_1_0").statusCode()).isEqualTo(409);
            next.stepSucceeds("call_1_0", "sh").answers("Done.");
            settled(page);
            assertThat(approve("call_1_0").statusCode()).isEqualTo(409);
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    /** Sends a message and returns what the page shows when the run waits. */
    private JsonNode asked(NodeClient page, String... asks) throws Exception {
        page.order(Map.of("do", "send", "text", "clean up"));
        AskScript.asks(sandbox.next(), asks);
        return settled(page);
    }

    private HttpResponse<String> approve(String ask) throws Exception {
        Map<String, Object> part =
                Map.of(
                        "type",
                        "dynamic-tool",
                        "state",
                        "approval-responded",
                        "approval",
                        Map.of("id", ask, "approved", true));
        return server.post(
                "/api/ai-sdk/chat",
                Map.of(
                        "id",
                        CHAT,
                        "messages",
                        List.of(Map.of("id", "a", "role", "assistant", "parts", List.of(part)))));
    }
}
