package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.Output.Stream;
import org.junit.jupiter.api.Test;

class StepOutputLimitTest {
    private final StepOutputLimit limit = new StepOutputLimit(10);

    @Test
    void whatIsTooMuchIsLeftOutAndCountedAtTheEndOfTheStep() {
        assertThat(limit.record(output("a", "12345"))).hasValue(output("a", "12345"));
        assertThat(limit.record(output("a", "6789äö"))).hasValue(output("a", "6789"));
        assertThat(limit.record(output("a", "ä"))).isEmpty();
        assertThat(limit.record(output("b", "1234567890"))).isPresent();

        assertThat(limit.end("b")).isEmpty();
        Output note = limit.end("a").orElseThrow();
        assertThat(note.text())
                .isEqualTo("… 6 bytes of output are left out; the limit is 10 bytes a step\n");
        assertThat(note.truncated()).isTrue();
        assertThat(note.originalSize()).isEqualTo(15);
        assertThat(limit.end("a")).isEmpty();
        assertThat(limit.open()).isEmpty();
    }

    @Test
    void aNoteOfTheRunnerIsNotLeftOut() {
        limit.record(output("a", "1234567890"));
        Output note = output("a", "[… 99 bytes left out …]\n");

        assertThat(limit.record(note)).hasValue(note);
        assertThat(limit.end("a")).isEmpty();
    }

    private static Output output(String id, String text) {
        return new Output(id, Stream.STDOUT, text, null);
    }
}
