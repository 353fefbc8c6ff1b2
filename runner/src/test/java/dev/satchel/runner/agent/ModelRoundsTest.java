package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.RunUsage;
import dev.satchel.protocol.SandboxLine.StepEnded;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ModelRoundsTest extends ModelAgentFixture {
    private static final String CALL = "{\"say\":\"ahoy\"}";

    private JsonNode lastRequest() {
        return provider.asked().getLast().body();
    }

    private List<StepEnded> steps() {
        return lines.stream()
                .filter(StepEnded.class::isInstance)
                .map(StepEnded.class::cast)
                .toList();
    }

    private void answerWith(AnthropicEvents reply) {
        provider.thenStream(reply.events());
    }

    @Test
    void modelSumsUpWithoutToolsAtTheRoundLimit() throws Exception {
        for (int i = 0; i < 4; i++) {
            answerWith(new AnthropicEvents().text("Step " + i).call("t" + i, "echo", CALL));
        }
        answerWith(new AnthropicEvents().text("Half of it is done."));
        AgentAnswer answer = run(task(3, List.of(), true));
        assertThat(answer.text()).isEqualTo("Half of it is done.");
        assertThat(answer.stopped()).isEqualTo("max_rounds");
        assertThat(answer.usage()).isEqualTo(new RunUsage(5 * 25, 5 * 15, 0, 0, null));
        assertThat(steps()).hasSize(3);
        assertThat(lastRequest().path("tools").isEmpty()).isTrue();
        assertThat(lastRequest().path("messages").toString())
                .contains("what now?", "3 rounds", "echo: ahoy")
                .doesNotContain("tool_use", "tool_result");
        assertThat(deltas().getLast()).isEqualTo("\n\nHalf of it is done.");
    }

    @Test
    void roundLimitWithoutAWordOfTheModelIsStillAnAnswer() throws Exception {
        answerWith(new AnthropicEvents().call("t1", "echo", CALL));
        answerWith(new AnthropicEvents().call("t2", "echo", CALL));
        answerWith(new AnthropicEvents().call("t3", "echo", CALL));
        AgentAnswer answer = run(task(1, List.of(), true));
        assertThat(answer.text()).contains("1 rounds", "no answer");
        assertThat(answer.stopped()).isEqualTo("max_rounds");
        assertThat(deltas()).containsExactly(answer.text());
        assertThat(steps()).hasSize(1);
    }

    @Test
    void answerCutAtTheTokenLimitIsContinuedWithoutASeam() throws Exception {
        answerWith(new AnthropicEvents().text("one tw").cut());
        answerWith(new AnthropicEvents().text("o thr").cut());
        answerWith(new AnthropicEvents().text("ee"));
        AgentAnswer answer = run(task(10, List.of(), true));
        assertThat(answer.text()).isEqualTo("one two three");
        assertThat(answer.stopped()).isNull();
        assertThat(String.join("", deltas())).isEqualTo("one two three");
        assertThat(lastRequest().path("messages").toString()).contains("one tw", "o thr");
    }

    @Test
    void answerIsContinuedFourTimesAtMost() throws Exception {
        for (int i = 0; i < 5; i++) {
            answerWith(new AnthropicEvents().text(i + ",").cut());
        }
        AgentAnswer answer = run(task(10, List.of(), false));
        assertThat(answer.text()).isEqualTo("0,1,2,3,4,");
        assertThat(answer.stopped()).isEqualTo("max_tokens");
        assertThat(provider.asked()).hasSize(5);
    }

    @Test
    void continuationsAreASetting() throws Exception {
        LoopSettings usual = LoopSettings.DEFAULT;
        settings = new LoopSettings(8, 0, 1000, usual.window(), usual.images());
        answerWith(new AnthropicEvents().text("0,").cut());
        assertThat(run(task(10, List.of(), false)).stopped()).isEqualTo("max_tokens");
    }

    @Test
    void replyThatIsCutBeforeItBeginsIsAskedForAgain() throws Exception {
        answerWith(new AnthropicEvents().cut());
        answerWith(new AnthropicEvents().text("Short."));
        assertThat(answer(task(10, List.of(), false))).isEqualTo("Short.");
        assertThat(lastRequest().path("messages").toString()).contains("before it began");
    }

    @Test
    void callThatTheTokenLimitCutsInHalfIsNotRun() throws Exception {
        answerWith(
                new AnthropicEvents()
                        .call("t1", "echo", CALL)
                        .call("t2", "echo", "{\"say\":\"ha")
                        .cut());
        answerWith(new AnthropicEvents().text("Done."));
        assertThat(answer(task(10, List.of(), false))).isEqualTo("Done.");
        assertThat(steps())
                .extracting(StepEnded::status)
                .containsExactly(StepEnded.Outcome.SUCCEEDED, StepEnded.Outcome.FAILED);
        assertThat(steps().getLast().error()).contains("token limit");
        assertThat(lastRequest().path("messages").toString()).contains("echo: ahoy", "was not run");
    }

    @Test
    void callThatTheTokenLimitCutsBeforeItsArgumentsIsNotRun() throws Exception {
        answerWith(new AnthropicEvents().call("t1", "echo", "").cut());
        answerWith(new AnthropicEvents().text("Done."));
        assertThat(answer(task(10, List.of(), false))).isEqualTo("Done.");
        assertThat(steps().getFirst().error()).contains("was not run");
    }

    @Test
    void continuedTextBeforeAToolIsSeparatedFromTheTextAfterIt() throws Exception {
        answerWith(new AnthropicEvents().text("Let me lo").cut());
        answerWith(new AnthropicEvents().text("ok.").call("t1", "echo", CALL));
        answerWith(new AnthropicEvents().text("Done."));
        assertThat(answer(task(10, List.of(), true))).isEqualTo("Done.");
        assertThat(String.join("", deltas())).isEqualTo("Let me look.\n\nDone.");
    }
}
