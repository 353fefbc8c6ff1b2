package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The window of a model: estimates, summaries, large results, and prefixes that stay the same. */
class ContextTest extends ModelAgentFixture {
    /** Returns as many characters as the call wants. */
    private static final class Filler implements Tool<ToolContext> {
        @Override
        public ToolDescription description() {
            return new ToolDescription(
                    "fill",
                    List.of(),
                    "Fills.",
                    "{\"properties\": {\"n\": {\"type\": \"integer\"}}}");
        }

        @Override
        public ToolResult call(JsonNode arguments, ToolContext context) {
            return ToolResult.success("begin " + "x".repeat(arguments.path("n").asInt()) + " end");
        }
    }

    private AgentTask task() {
        return task(50, List.of(), true, new Toolset(List.of(new Filler())));
    }

    private void fill(int round, int characters) {
        provider.thenStream(
                new AnthropicEvents()
                        .text("Round " + round)
                        .call("t" + round, "fill", "{\"n\":" + characters + "}")
                        .inputTokens(0) // nothing to learn from
                        .events());
    }

    private void say(String text) {
        provider.thenStream(new AnthropicEvents().text(text).inputTokens(0).events());
    }

    private List<StepEnded> compactions() {
        return lines.stream()
                .filter(StepEnded.class::isInstance)
                .map(StepEnded.class::cast)
                .filter(step -> step.name().equals("compact"))
                .toList();
    }

    private static void assertPaired(JsonNode request) {
        Set<String> open = new HashSet<>();
        for (JsonNode message : request.path("messages")) {
            Set<String> answered = new HashSet<>();
            Set<String> called = new HashSet<>();
            for (JsonNode block : message.path("content")) {
                if (block.path("type").asString("").equals("tool_use")) {
                    called.add(block.path("id").asString());
                }
                if (block.path("type").asString("").equals("tool_result")) {
                    answered.add(block.path("tool_use_id").asString());
                }
            }
            assertThat(answered).isEqualTo(open);
            open = called;
        }
        assertThat(open).isEmpty();
    }

    @Test
    void oldestRoundsAreReplacedByASummaryBeforeTheWindowIsFull() throws Exception {
        for (int i = 0; i < 6; i++) {
            fill(i, 5_000); // 1,430 tokens each
        }
        say("SUMMARY: five fills."); // asked for before the seventh call
        say("Done.");
        AgentAnswer answer = run(task(), 10_000);
        assertThat(answer.text()).isEqualTo("Done.");
        assertThat(compactions()).hasSize(1);
        JsonNode summarized = provider.asked().get(6).body();
        assertThat(summarized.path("tools").isEmpty()).isTrue();
        assertThat(summarized.toString()).contains("what now?", "earlier", "begin xxx");
        JsonNode last = provider.asked().getLast().body();
        assertThat(last.toString())
                .contains("what now?", "SUMMARY: five fills.", "Round 5")
                .doesNotContain("Round 0", "earlier");
        assertPaired(last);
        assertThat(deltas()).noneMatch(text -> text.contains("SUMMARY"));
    }

    @Test
    void countsOfTheProviderCorrectTheEstimate() throws Exception {
        provider.thenStream(
                new AnthropicEvents()
                        .call("t1", "fill", "{\"n\":3000}")
                        .inputTokens(9_000) // far more than estimated
                        .events());
        say("SUMMARY");
        say("Done.");
        run(task(), 10_000);
        assertThat(compactions()).hasSize(1);
    }

    @Test
    void overflowOfTheProviderIsAnsweredWithASummaryOnce() throws Exception {
        fill(0, 100);
        provider.thenRefuse(400, OVERFLOW);
        say("SUMMARY");
        say("Done.");
        assertThat(run(task()).text()).isEqualTo("Done.");
        assertThat(compactions()).hasSize(1);
        assertPaired(provider.asked().getLast().body());
    }

    @Test
    void secondOverflowEndsTheRunWithWordsToActOn() {
        fill(0, 100);
        provider.thenRefuse(400, OVERFLOW);
        say("SUMMARY");
        provider.thenRefuse(400, OVERFLOW);
        assertThatExceptionOfType(AgentFailedException.class)
                .isThrownBy(() -> run(task()))
                .withMessageContaining("Send less at once")
                .satisfies(e -> assertThat(e.code()).isEqualTo("context_overflow"));
    }

    @Test
    void runGoesOnWhenNoSummaryCanBeWritten() throws Exception {
        fill(0, 100);
        provider.thenRefuse(400, OVERFLOW);
        provider.thenRefuse(400, OVERFLOW);
        say("Done.");
        assertThat(run(task()).text()).isEqualTo("Done.");
        assertThat(compactions().getFirst().status()).isEqualTo(StepEnded.Outcome.FAILED);
        assertThat(provider.asked().getLast().body().toString()).contains("No summary");
    }

    @Test
    void resultOfMoreThanAQuarterOfTheWindowIsNamedNotQuoted() throws Exception {
        fill(0, 20_000); // a quarter is 8,750 bytes
        say("Done.");
        run(task(), 10_000);
        String last = provider.asked().getLast().body().toString();
        assertThat(last)
                .contains("/root/workspace/.tool-results/0001-fill.txt")
                .hasSizeLessThan(9_000);
        assertThat(Files.readString(folder.resolve(".tool-results/0001-fill.txt")))
                .startsWith("begin ")
                .endsWith(" end")
                .hasSize(20_010);
    }

    /** A tool whose images are not files of the workspace. */
    private record Camera(String image) implements Tool<ToolContext> {
        @Override
        public ToolDescription description() {
            return new ToolDescription("photograph", List.of(), "Shows something.", "{}");
        }

        @Override
        public ToolResult call(JsonNode arguments, ToolContext context) {
            return new ToolResult(
                    true, "Here.", arguments, List.of(new ToolResult.Image("image/png", image)));
        }
    }

    @Test
    void shareOfAResultIsASetting() throws Exception {
        settings =
                new LoopSettings(
                        8,
                        4,
                        1000,
                        new LoopSettings.WindowShares(0.8, 0.4, 0.9),
                        LoopSettings.DEFAULT.images());
        fill(1, 20_000);
        say("Done.");
        run(task(), 10_000);
        assertThat(folder.resolve(".tool-results")).doesNotExist();
    }

    @Test
    void imageThatTheProviderWouldRefuseIsNotSent() throws Exception {
        String image = "A".repeat(6_000_000); // Anthropic takes 5 MiB
        provider.thenStream(new AnthropicEvents().call("t1", "photograph", "{}").events());
        say("Too big.");
        run(task(50, List.of(), true, new Toolset(List.of(new Camera(image)))));
        assertThat(provider.asked().getLast().body().toString())
                .contains("The image is not shown", "3932160 bytes")
                .doesNotContain("base64");
    }

    @Test
    void eachRequestBeginsWithTheMessagesOfTheOneBefore() throws Exception {
        for (int i = 0; i < 4; i++) {
            fill(i, 10);
        }
        say("Done.");
        run(task());
        List<JsonNode> requests =
                new ArrayList<>(provider.asked().stream().map(asked -> asked.body()).toList());
        for (int i = 1; i < requests.size(); i++) {
            assertPrefix(requests.get(i - 1), requests.get(i), 0);
        }
    }

    @Test
    void nextTurnBeginsAsTheOneBeforeAlthoughItHasMoreFiles() throws Exception {
        say("One.");
        say("Two.");
        AgentTask first = task();
        run(withHistory(first, first.history(), List.of(file("a.txt"))));
        List<ChatTurn> history = new ArrayList<>(first.history());
        history.add(new ChatTurn("user", first.prompt(), 3));
        history.add(new ChatTurn("assistant", "One.", 4));
        run(withHistory(first, history, List.of(file("a.txt"), file("b.txt"))));
        // the last message of the first request has the list of files behind its text
        assertPrefix(provider.asked().get(0).body(), provider.asked().get(1).body(), 1);
    }

    private static RunConfig.File file(String name) {
        return new RunConfig.File(name, 1, "x", "text/plain", false, null);
    }

    private static AgentTask withHistory(
            AgentTask task, List<ChatTurn> history, List<RunConfig.File> files) {
        return new AgentTask(
                task.prompt(),
                history,
                task.systemPrompt(),
                task.maxRounds(),
                files,
                task.moreFiles(),
                task.tools(),
                task.context(),
                task.streamText());
    }

    /** Without cache marks, which move along. The last {@code differing} messages may differ. */
    private static void assertPrefix(JsonNode before, JsonNode after, int differing) {
        assertThat(plain(after.path("system"))).isEqualTo(plain(before.path("system")));
        assertThat(plain(after.path("tools"))).isEqualTo(plain(before.path("tools")));
        int count = before.path("messages").size() - differing;
        assertThat(count).isPositive();
        for (int i = 0; i < count; i++) {
            assertThat(plain(after.path("messages").path(i)))
                    .isEqualTo(plain(before.path("messages").path(i)));
        }
    }

    private static String plain(JsonNode node) {
        return node.toString().replace(",\"cache_control\":{\"type\":\"ephemeral\"}", "");
    }

    @Test
    void tokensOfEachCallAreALine() throws Exception {
        provider.thenStream(
                new AnthropicEvents().call("t", "fill", "{\"n\":1}").inputTokens(100).events());
        provider.thenStream(new AnthropicEvents().text("Done.").inputTokens(200).events());
        run(task());
        assertThat(lines)
                .filteredOn(SandboxLine.Usage.class::isInstance)
                .extracting(line -> ((SandboxLine.Usage) line).inputTokens())
                .containsExactly(100L, 200L);
    }
}
