package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A run of 300 rounds with an error of each kind every 20 rounds. */
class LongRunTest extends ModelAgentFixture {
    private static final int ROUNDS = 300;
    private static final int PERIOD = 20;

    private final List<Integer> called = new ArrayList<>();

    private final class Recording implements Tool<ToolContext> {
        @Override
        public ToolDescription description() {
            return new ToolDescription(
                    "record", List.of(), "d", "{\"properties\": {\"n\": {\"type\": \"integer\"}}}");
        }

        @Override
        public ToolResult call(JsonNode arguments, ToolContext context) {
            called.add(arguments.path("n").intValue());
            return ToolResult.success("recorded " + arguments.path("n"));
        }
    }

    private static AnthropicEvents round(int n) {
        return new AnthropicEvents()
                .text("Round " + n + ".")
                .call("call_" + n, "record", "{\"n\":" + n + "}");
    }

    private void script() {
        for (int n = 0; n < ROUNDS; n++) {
            if (n % PERIOD == 0) {
                provider.thenRefuse(
                        429,
                        "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow"
                                + " down\"}}");
                provider.thenStream(round(n).unfinished()); // with a whole call in it
                provider.thenRefuse(400, OVERFLOW);
                provider.thenStream(new AnthropicEvents().text("Summary " + n).events());
            }
            provider.thenStream(round(n).events());
        }
        provider.thenStream(new AnthropicEvents().text("All is recorded.").events());
    }

    @Test
    void everyCallHappensOnceAndTheAnswerArrives() throws Exception {
        script();
        AgentAnswer answer =
                run(task(ROUNDS, List.of(), true, new Toolset(List.of(new Recording()))));

        assertThat(answer.text()).isEqualTo("All is recorded.");
        assertThat(answer.stopped()).isNull();
        assertThat(called).isEqualTo(IntStream.range(0, ROUNDS).boxed().toList());
        assertThat(steps("record")).hasSize(ROUNDS);
        assertThat(steps("compact")).hasSize(ROUNDS / PERIOD);
        assertThat(lines)
                .filteredOn(SandboxLine.Retry.class::isInstance)
                .hasSize(2 * ROUNDS / PERIOD);
        assertThat(transcript()).isEqualTo(expectedTranscript());
    }

    private List<StepEnded> steps(String name) {
        return lines.stream()
                .filter(StepEnded.class::isInstance)
                .map(StepEnded.class::cast)
                .filter(step -> step.name().equals(name))
                .toList();
    }

    /** The text that stays: a retry withdraws what came after the last step or usage. */
    private String transcript() {
        StringBuilder text = new StringBuilder();
        int settled = 0;
        for (SandboxLine line : lines) {
            switch (line) {
                case SandboxLine.Delta delta -> text.append(delta.text());
                case SandboxLine.Retry _ -> text.setLength(settled);
                case SandboxLine.Usage _, StepEnded _ -> settled = text.length();
                default -> {}
            }
        }
        return text.toString();
    }

    private static String expectedTranscript() {
        StringBuilder text = new StringBuilder();
        for (int n = 0; n < ROUNDS; n++) {
            text.append("Round ").append(n).append(".\n\n");
        }
        return text + "All is recorded.";
    }
}
