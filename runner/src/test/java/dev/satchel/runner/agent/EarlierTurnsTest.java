package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.ChatTurn.Attachment;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.image.TestImages;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Follow-up turns know what was attached and done before. */
class EarlierTurnsTest extends ModelAgentFixture {
    private static final byte[] PNG = TestImages.headerOnly(2, 2, 40);

    private final List<RunConfig.File> files = new ArrayList<>();

    private Attachment file(String name, String type, int size) throws IOException {
        Files.write(folder.resolve(name), Arrays.copyOf(PNG, size));
        files.add(new RunConfig.File(name, size, "hash of " + name, type, false, null));
        return new Attachment(name, type, size, "hash of " + name);
    }

    private static ChatTurn asked(String text, Attachment... attachments) {
        return new ChatTurn("user", text, 1, List.of(attachments), List.of());
    }

    private JsonNode messages(ChatTurn... history) throws Exception {
        provider.thenStream(wire.text("Yes."));
        AgentTask plain = task(10, files, false);
        run(
                new AgentTask(
                        plain.prompt(),
                        List.of(history),
                        plain.systemPrompt(),
                        plain.maxRounds(),
                        plain.files(),
                        plain.moreFiles(),
                        plain.tools(),
                        plain.context(),
                        plain.streamText()));
        return provider.asked().getLast().body().path("messages");
    }

    @Test
    void earlierMessageHasTheNamesAndImagesOfItsFiles() throws Exception {
        Attachment cat = file("cat.png", "image/png", 40);
        Attachment data = file("data.csv", "text/csv", 4);
        Attachment gone = new Attachment("gone.txt", "text/plain", 1, "x");
        JsonNode messages =
                messages(
                        asked("what is this?", cat, data, gone),
                        new ChatTurn("assistant", "A cat.", 2));
        String first = messages.path(0).toString();
        assertThat(first)
                .contains("what is this?", "cat.png", "Shown as an image", "[Attached: gone.txt]")
                .contains("/root/workspace/data.csv")
                .contains("base64");
    }

    @Test
    void fiveNewestImagesOfFourMegabytesAreShown() throws Exception {
        List<ChatTurn> history = new ArrayList<>();
        history.add(asked("big", file("big.png", "image/png", 3_900_000)));
        for (int i = 0; i < 6; i++) {
            history.add(asked("image " + i, file("i" + i + ".png", "image/png", 100_000)));
        }
        JsonNode messages = messages(history.toArray(ChatTurn[]::new));
        String all = messages.toString();
        assertThat(all.split("\"base64\"", -1)).hasSize(5 + 1);
        assertThat(all).contains("big.png", "i0.png");
    }

    @Test
    void howManyAreShownIsASetting() throws Exception {
        LoopSettings usual = LoopSettings.DEFAULT;
        settings =
                new LoopSettings(
                        8,
                        4,
                        1000,
                        usual.window(),
                        new LoopSettings.ImageSettings(2, 150_000, 1_000_000));
        List<ChatTurn> history = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            history.add(asked("image " + i, file("i" + i + ".png", "image/png", 100_000)));
        }
        String all = messages(history.toArray(ChatTurn[]::new)).toString();
        assertThat(all.split("\"base64\"", -1)).hasSize(1 + 1);
    }

    @Test
    void stepsOfAnAnswerStandBeforeTheNextMessage() throws Exception {
        ChatTurn answer =
                new ChatTurn(
                        "assistant",
                        "Done.",
                        2,
                        List.of(new Attachment("chart.png", "image/png", 1, "x")),
                        List.of("sh {\"command\":\"make\"}", "view {} failed: no such file"));
        JsonNode messages = messages(asked("first"), answer);
        assertThat(messages.path(1).toString()).contains("Done.").doesNotContain("make");
        assertThat(messages.path(2).toString())
                .contains(
                        "make", "failed: no such file", "You handed over: chart.png", "what now?");
    }

    /** Cache marks move along with the last messages. */
    private static String withoutMarks(JsonNode message) {
        return message.toString().replace(",\"cache_control\":{\"type\":\"ephemeral\"}", "");
    }

    @Test
    void nextTurnRepeatsTheSameMessages() throws Exception {
        ChatTurn first = asked("first", file("cat.png", "image/png", 40));
        ChatTurn answer = new ChatTurn("assistant", "Done.", 2, List.of(), List.of("sh {}"));
        JsonNode before = messages(first, answer);
        JsonNode after =
                messages(first, answer, asked("what now?"), new ChatTurn("assistant", "Yes.", 4));
        assertThat(withoutMarks(after.path(0))).isEqualTo(withoutMarks(before.path(0)));
        assertThat(withoutMarks(after.path(1))).isEqualTo(withoutMarks(before.path(1)));
        assertThat(after.path(2).toString()).contains("sh {}", "what now?");
    }
}
