package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.runner.tool.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineAgentTest {
    private final List<SandboxLine> lines = new CopyOnWriteArrayList<>();
    private final OfflineAgent agent = new OfflineAgent();

    @TempDir Path root;
    private ToolFixture fixture;

    @BeforeEach
    void open() throws IOException {
        fixture = new ToolFixture(root);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void commandsRunInOrderOneStepEach() throws Exception {
        String answer =
                answer(
                        """
                        Please do this:
                        /sh echo one > a.txt
                        /view a.txt
                        /grep one a.txt
                        /stage 7
                        /sleep 0
                        """);
        assertThat(names()).containsExactly("sh", "view", "grep", "stage_asset", "sleep");
        assertThat(answer)
                .startsWith("Offline agent, no model: ran 5 commands.\n")
                .contains("`/view a.txt`\n```\n1. one\n```\n")
                .contains("`/grep one a.txt`\n```\na.txt:1:one\n```\n")
                .endsWith("- a.txt (4 bytes)\n- staged/7-data.csv (5 bytes)");
    }

    @Test
    void theSameMessageGetsTheSameAnswer() throws Exception {
        Files.writeString(root.resolve("a.txt"), "x");
        String message = "/view a.txt\n/grep x";
        assertThat(answer(message)).isEqualTo(answer(message));
    }

    @Test
    void writeTakesTheRestOfTheMessage() throws Exception {
        answer("/write d/f.txt\nline\n/sh not run\n\nend");
        assertThat(root.resolve("d/f.txt")).hasContent("line\n/sh not run\n\nend");
        assertThat(names()).containsExactly("write");
    }

    @Test
    void aFailingCommandDoesNotStopTheOthers() throws Exception {
        String answer = answer("/view no.txt\n/sh echo on\n/sleep x\n/sleep 3601\n/grep");
        assertThat(answer)
                .startsWith("Offline agent, no model: ran 5 commands, 4 failed.\n")
                .contains("`/view no.txt` failed\n```\nPath no.txt does not exist.")
                .contains("seconds must be a whole number from 0 to 3600")
                .contains("pattern is required")
                .contains("```\non\n```");
        assertThat(lines.stream().filter(StepEnded.class::isInstance)).hasSize(5);
    }

    @Test
    void aPatternWithSpacesIsQuoted() throws Exception {
        Files.writeString(root.resolve("my file"), "a b\n");
        assertThat(answer("/grep \"a b\" my file")).contains("my file:1:a b");
    }

    @Test
    void changedFilesAreListed() throws Exception {
        Files.writeString(root.resolve("old"), "x");
        Files.writeString(root.resolve("kept"), "x");
        assertThat(answer("/sh echo more >> old"))
                .contains("New or changed files:\n\n- old (6 bytes)")
                .doesNotContain("kept");
    }

    @Test
    void longOutputIsShortInTheReport() throws Exception {
        assertThat(answer("/sh seq 100000")).hasSizeLessThan(2500).contains("cut; the step holds");
    }

    @Test
    void otherTextListsTheBagAndExplainsHowToSetUpAModel() throws Exception {
        String answer = answer("What is in my files?");
        assertThat(answer)
                .contains("no model is configured")
                .contains("- `data.csv` (text/csv, 12 bytes), attached to this message")
                .contains("/sh CMD", "/view PATH", "/grep PATTERN [PATH]", "/write PATH")
                .contains("/stage ASSET_ID", "/sleep SECONDS")
                .contains("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL");
        assertThat(lines).isEmpty();
    }

    @Test
    void theAnswerIsStreamedOnRequest() throws Exception {
        String answer = agent.answer(task("hello", true), steps(() -> {})).text();
        assertThat(lines).hasSize(1);
        assertThat(((Delta) lines.getFirst()).text()).isEqualTo(answer);
    }

    @Test
    void aSleepEndsWhenInterrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread run =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        thrown.set(
                                                catchThrowable(
                                                        () ->
                                                                agent.answer(
                                                                        task("/sleep 3600", false),
                                                                        steps(begun::countDown)))));
        begun.await();
        run.interrupt();
        run.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    private String answer(String prompt) throws Exception {
        return agent.answer(task(prompt, false), steps(() -> {})).text();
    }

    private AgentTask task(String prompt, boolean streamText) {
        RunConfig.File file = new RunConfig.File("data.csv", 12, "0", "text/csv", true, null);
        return new AgentTask(
                prompt,
                List.of(),
                null,
                10,
                List.of(file),
                false,
                fixture.tools(),
                fixture.context(),
                streamText);
    }

    private StepRecorder steps(Runnable onLine) {
        return new StepRecorder(
                line -> {
                    lines.add(line);
                    onLine.run();
                },
                Clock.systemUTC(),
                1000);
    }

    private List<String> names() {
        return lines.stream()
                .filter(StepStarted.class::isInstance)
                .map(line -> ((StepStarted) line).name())
                .toList();
    }
}
