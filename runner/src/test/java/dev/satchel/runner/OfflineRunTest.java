package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.runner.RunnerClient.Lines;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.agent.OfflineAgent;
import java.util.List;
import java.util.Map;
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
}
