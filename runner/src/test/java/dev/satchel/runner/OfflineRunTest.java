package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.runner.RunnerClient.Lines;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.agent.OfflineAgent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The whole runner without a model. */
class OfflineRunTest extends RunnerFixture {
    @Override
    AgentLoop agent() {
        return new OfflineAgent();
    }

    private static List<StepEnded> steps(List<SandboxLine> lines) {
        return lines.stream()
                .filter(StepEnded.class::isInstance)
                .map(StepEnded.class::cast)
                .toList();
    }

    @Test
    void filesGoInCommandsRunAndAssetsComeBack() throws Exception {
        satchel.bag.put("in.txt", "b\na\n");
        List<SandboxLine> lines =
                run("/sh mkdir assets; sort in.txt > assets/sorted.txt\n/view in.txt");
        assertThat(steps(lines)).extracting(StepEnded::name).containsExactly("sh", "view");
        assertThat(steps(lines))
                .allSatisfy(s -> assertThat(s.status()).isEqualTo(StepEnded.Outcome.SUCCEEDED));
        assertThat(satchel.uploads).containsExactly(Map.of("sorted.txt", "a\nb\n"));
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Result.class);
    }

    @Test
    void fileWrittenByTheToolIsTheCommandsToChange() throws Exception {
        List<SandboxLine> lines = run("/write assets/note.txt\nfrom the tool");
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Result.class);
        run("/sh echo and the shell >> assets/note.txt; cat assets/note.txt");
        assertThat(satchel.uploads.getLast().get("note.txt"))
                .contains("from the tool", "and the shell");
    }

    @Test
    void onlyARunWithoutCommandsAndWritesSaysThatNoFileChanged() throws Exception {
        run("/write a.txt\ntext");
        assertThat(workspaceChanged("/view a.txt")).isFalse();
        assertThat(workspaceChanged("/sleep 0")).isFalse();
        assertThat(workspaceChanged("/sh true")).isNull();
        assertThat(workspaceChanged("/write a.txt\nother")).isNull();
        assertThat(workspaceChanged("/stage asset-1")).isNull();
    }

    private @Nullable Boolean workspaceChanged(String prompt) throws Exception {
        return ((SandboxLine.Result) run(prompt).getLast()).workspaceChanged();
    }

    @Test
    void stagedAssetIsThereToBeViewed() throws Exception {
        List<SandboxLine> lines = run("/stage asset-1\n/sh cat staged/*");
        assertThat(steps(lines))
                .extracting(StepEnded::status)
                .containsExactly(StepEnded.Outcome.SUCCEEDED, StepEnded.Outcome.SUCCEEDED);
        assertThat(steps(lines).getLast().result()).asString().contains("an asset");
    }

    @Test
    void assetThatIsNotThereIsAFailedStepAndTheRunGoesOn() throws Exception {
        List<SandboxLine> lines = run("/stage asset-2");
        assertThat(steps(lines).getFirst().error()).contains("asset-2", "does not exist");
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Result.class);
    }

    @Test
    void plainTextIsAnsweredHonestly() throws Exception {
        satchel.bag.put("in.txt", "x");
        assertThat(result("hello")).contains("in.txt", "/sh");
    }

    @Test
    void closingTheConnectionEndsASleep() throws Exception {
        try (Lines lines = client.start(satchel.dispatch("one", "/sleep 3000"))) {
            lines.awaitStep();
        }
        // the workspace is the cancelled run's until it has unwound
        assertThat(result("/sh echo free")).contains("free");
    }

    @Test
    void outputOfACommandIsWrittenWhileItRuns() throws Exception {
        Dispatch dispatch = satchel.dispatch("one", "/sh echo working; exec sleep 3000");
        try (Lines lines = client.start(dispatch)) {
            SandboxLine line = lines.next().orElseThrow();
            while (!(line instanceof SandboxLine.Output)) {
                line = lines.next().orElseThrow();
            }
            assertThat(((SandboxLine.Output) line).text()).isEqualTo("working\n");
            assertThat(((SandboxLine.Output) line).id()).isEqualTo("step_1");
        }
    }

    @Test
    void commandThatFloodsIsBoundedInLinesAndForTheModel() throws Exception {
        List<SandboxLine> lines = run("/sh yes | head -c 20000000; printf 'end\\377'");
        List<SandboxLine.Output> outputs =
                lines.stream()
                        .filter(SandboxLine.Output.class::isInstance)
                        .map(SandboxLine.Output.class::cast)
                        .toList();
        assertThat(outputs.stream().mapToInt(line -> line.text().length()).sum())
                .isBetween(256 * 1024, 257 * 1024);
        assertThat(outputs.getLast().text()).contains("bytes left out");
        assertThat(lines.indexOf(outputs.getLast()))
                .isLessThan(lines.indexOf(steps(lines).getLast()));
        assertThat(steps(lines).getLast().result())
                .asString()
                .hasSizeLessThan(70_000)
                .contains("end");
    }

    @Test
    void callerThatDoesNotAcceptDeltasGetsNoOutputLines() throws Exception {
        satchel.accepts = List.of();
        assertThat(run("/sh echo hello"))
                .extracting(SandboxLine::type)
                .doesNotContain("output", "delta");
    }
}
