package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.ContentBlock.Step;
import dev.satchel.server.conversation.ContentBlock.Text;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedTranscriptTest {
    private static final int LIMIT = 4_000;

    private final BoundedTranscript transcript = new BoundedTranscript(LIMIT);

    @Test
    void stepsBelowTheLimitKeepTheirValues() {
        step("s1", "small");
        add(new Result("done", null));

        assertThat(transcript.succeeded())
                .extracting(BoundedTranscriptTest::shown)
                .containsExactly("s1 \"small\"", "done");
    }

    @Test
    void laterStepsLoseTheirValuesAndSaySo() {
        step("s1", "x".repeat(LIMIT / 2));
        step("s2", "x".repeat(LIMIT / 2));
        step("s3", "small");

        List<ContentBlock> content = transcript.succeeded();

        assertThat(content).hasSize(3);
        Step second = (Step) content.get(1);
        assertThat(second.result()).isNull();
        assertThat(second.truncated()).isTrue();
        assertThat(second.originalSize()).isGreaterThan(LIMIT / 2);
        assertThat(((Step) content.get(2)).result()).isNull();
    }

    @Test
    void atTheLimitStepsAreLeftOutAndCounted() {
        for (int i = 0; i < 100; i++) {
            step("s" + i, "x".repeat(LIMIT));
        }
        add(new Result("done", null));

        List<ContentBlock> content = transcript.succeeded();

        assertThat(Json.MAPPER.writeValueAsString(content)).hasSizeLessThan(2 * LIMIT);
        Step notice = (Step) content.get(content.size() - 2);
        assertThat(notice.name()).isEqualTo("message_limit");
        assertThat(notice.status()).isEqualTo(Step.Status.SUCCEEDED);
        assertThat(String.valueOf(notice.args())).contains("4,000 characters");
        int shown = content.size() - 2;
        assertThat(String.valueOf(notice.result()))
                .isEqualTo("{\"leftOutLines\":" + (2 * 100 - 2 * shown) + "}");
        assertThat(content.getLast()).isEqualTo(new Text("done"));
    }

    @Test
    void anAnswerOfAnySizeIsThereOnce() {
        String answer = "a".repeat(3 * LIMIT);
        for (int i = 0; i < 30; i++) {
            add(new Delta(answer.substring(i * LIMIT / 10, (i + 1) * LIMIT / 10), null));
        }
        add(new Result(answer, null));

        assertThat(transcript.succeeded()).containsExactly(new Text(answer));
    }

    @Test
    void textThatIsCutWithoutAnAnswerIsNamed() {
        add(new Delta("a".repeat(LIMIT / 2), null));
        add(new Delta("b".repeat(LIMIT / 2), null));
        End end = new End(End.Status.CANCELLED, "cancelled", "stopped");

        assertThat(transcript.stopped(end))
                .extracting(BoundedTranscriptTest::shown)
                .containsExactly(
                        "a".repeat(LIMIT / 2), "message-limit {\"leftOutLines\":1}", "end");
    }

    private void step(String id, String result) {
        add(new StepStarted(id, "dump", null, 1L));
        add(
                new StepEnded(
                        id,
                        "dump",
                        StepEnded.Outcome.SUCCEEDED,
                        Json.MAPPER.valueToTree(result),
                        null,
                        null,
                        2L));
    }

    private void add(SandboxLine line) {
        transcript.add(line, Json.MAPPER.writeValueAsString(line).length());
    }

    private static String shown(ContentBlock block) {
        return switch (block) {
            case ContentBlock.Steer steer -> steer.text();
            case Text text -> text.text();
            case ContentBlock.Thinking thinking -> thinking.text();
            case Step step -> step.id() + " " + step.result();
            case ContentBlock.Stopped stopped -> stopped.reason();
            case ContentBlock.Usage _ -> "usage";
            case End _ -> "end";
        };
    }
}
