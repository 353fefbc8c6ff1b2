package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StepRecorderTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(42), ZoneOffset.UTC);
    private static final JsonNode ARGUMENTS = Json.MAPPER.readTree("{\"path\":\"a\"}");

    private final List<SandboxLine> lines = new ArrayList<>();
    private final StepRecorder steps = new StepRecorder(lines::add, CLOCK, 1000);

    @Test
    void aStepIsWrittenBeforeAndAfterItsCall() throws Exception {
        ToolResult result =
                steps.step(
                        "view",
                        ARGUMENTS,
                        _ -> {
                            assertThat(lines)
                                    .containsExactly(
                                            new StepStarted("step_1", "view", ARGUMENTS, 42L));
                            return ToolResult.success("text");
                        });
        assertThat(result.text()).isEqualTo("text");
        StepEnded ended = (StepEnded) lines.get(1);
        assertThat(ended.status()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(ended.result()).isEqualTo(result.detail());
        assertThat(ended.error()).isNull();
        assertThat(ended.durationMs()).isNotNegative();
    }

    @Test
    void aFailedResultIsAFailedStep() throws Exception {
        steps.step("view", ARGUMENTS, _ -> ToolResult.failure("no"));
        StepEnded ended = (StepEnded) lines.get(1);
        assertThat(ended.status()).isEqualTo(Outcome.FAILED);
        assertThat(ended.error()).isEqualTo("no");
        assertThat(ended.result()).isNull();
    }

    @Test
    void anExceptionFailsTheStepWithoutItsMessage() {
        IOException broken = new IOException("/host/path");
        assertThatThrownBy(
                        () ->
                                steps.step(
                                        "view",
                                        ARGUMENTS,
                                        _ -> {
                                            throw broken;
                                        }))
                .isSameAs(broken);
        StepEnded ended = (StepEnded) lines.get(1);
        assertThat(ended.error()).isEqualTo("view broke: IOException");
    }

    @Test
    void anInterruptLeavesTheStepRunning() {
        assertThatThrownBy(
                        () ->
                                steps.step(
                                        "view",
                                        ARGUMENTS,
                                        _ -> {
                                            throw new InterruptedException();
                                        }))
                .isInstanceOf(InterruptedException.class);
        assertThat(lines).hasSize(1);
    }

    @Test
    void stepsAreNumberedAndOtherLinesAreWrittenUnchanged() throws Exception {
        steps.step("a", ARGUMENTS, _ -> ToolResult.success(""));
        steps.step("b", ARGUMENTS, _ -> ToolResult.success(""));
        steps.text("hi");
        steps.log(LogLevel.WARN, "careful");
        assertThat(((StepStarted) lines.get(2)).id()).isEqualTo("step_2");
        assertThat(lines.subList(4, 6))
                .containsExactly(new Delta("hi", 42L), new Log(LogLevel.WARN, "careful", 42L));
    }

    @Test
    void aFailedWriterEndsTheStepBeforeItRuns() {
        StepRecorder gone =
                new StepRecorder(
                        _ -> {
                            throw new IOException("gone");
                        },
                        CLOCK,
                        1000);
        assertThatThrownBy(
                        () ->
                                gone.step(
                                        "sh",
                                        ARGUMENTS,
                                        _ -> {
                                            throw new AssertionError("must not run");
                                        }))
                .hasMessage("gone");
    }
}
