package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.TokenUsage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplyLinesTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(42), ZoneOffset.UTC);
    private static final TokenUsage TOKENS = new TokenUsage("m", "anthropic", 1, 2, 3, 4);
    private static final Usage USAGE = new Usage("m", "anthropic", 1, 2, 3, 4, 42L);

    private final List<SandboxLine> written = new ArrayList<>();
    private final ReplyLines lines = new ReplyLines(true, written::add, CLOCK);

    private static ModelException broken() {
        return new ModelException(ModelException.Code.MODEL_ERROR, "broken");
    }

    private void begin() {
        lines.nextMessage();
        lines.nextCall();
    }

    @Test
    void everythingAModelSaysIsALine() throws Exception {
        begin();
        lines.thinking("Hm.");
        lines.text("Hello");
        lines.usage(TOKENS);
        lines.writeUsage();
        assertThat(written)
                .containsExactly(new Thinking("Hm.", 42L), new Delta("Hello", 42L), USAGE);
    }

    @Test
    void textAfterARetryBeginsAsTheWithdrawnTextDid() throws Exception {
        begin();
        lines.text("Before.");
        lines.usage(TOKENS);
        lines.writeUsage();
        begin();
        lines.text("withdrawn");
        lines.retry(1, Duration.ofSeconds(2), broken(), "m");
        lines.text("again");
        assertThat(written)
                .containsExactly(
                        new Delta("Before.", 42L),
                        USAGE,
                        new Delta("\n\nwithdrawn", 42L),
                        new Retry(1, 2_000, "model_error", "broken", "m", 42L),
                        new Delta("\n\nagain", 42L));
    }

    @Test
    void retryOfAContinuationKeepsThePartBeforeIt() throws Exception {
        begin();
        lines.text("one tw"); // the provider counted no tokens, so nothing ends this part
        lines.nextCall();
        lines.text("withdrawn");
        lines.retry(1, Duration.ZERO, broken(), "m");
        lines.text("o");
        assertThat(written.subList(2, 5))
                .containsExactly(
                        new Retry(1, 0, "model_error", "broken", "m", 42L),
                        new Delta("one tw", 42L),
                        new Delta("o", 42L));
    }

    @Test
    void callerThatDoesNotAcceptThemGetsNone() throws Exception {
        ReplyLines silent = new ReplyLines(false, written::add, CLOCK);
        silent.text("a");
        silent.thinking("b");
        silent.retry(1, Duration.ZERO, broken(), "m");
        silent.usage(TOKENS);
        silent.writeUsage();
        assertThat(written).isEmpty();
    }
}
