package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.runner.image.TestImages;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ModelAgentTest extends ModelAgentFixture {
    private static final byte[] PNG = TestImages.headerOnly(2, 2, 40);

    @Test
    void emptyAnswerOfTheModelStaysEmpty() throws Exception {
        provider.thenStream(wire.text(""));
        assertThat(answer(task(3, List.of(), false))).isEmpty();
    }

    @Test
    void toolCallIsOneStepAndItsResultReachesTheModel() throws Exception {
        provider.thenStream(wire.toolCall("Look.", "t1", "echo", "{\"say\":\"ahoy\"}"));
        provider.thenStream(wire.text("Done."));
        assertThat(answer(task(10, List.of(), false))).isEqualTo("Done.");
        assertThat(lines).hasSize(2);
        assertThat(((StepStarted) lines.get(0)).name()).isEqualTo("echo");
        StepEnded ended = (StepEnded) lines.get(1);
        assertThat(ended.status()).isEqualTo(StepEnded.Outcome.SUCCEEDED);
        assertThat(lastUserContent()).contains("tool_result", "echo: ahoy");
    }

    @Test
    void textStreamsInOrderWithABlankLineBetweenRounds() throws Exception {
        provider.thenStream(wire.toolCall("Let me ", "t1", "echo", "{\"say\":\"a\"}"));
        provider.thenStream(wire.text("It ", "is ", "done."));
        assertThat(answer(task(10, List.of(), true))).isEqualTo("It is done.");
        assertThat(deltas()).containsExactly("Let me ", "\n\nIt ", "is ", "done.");
    }

    @Test
    void nothingStreamsToACallerThatDoesNotAcceptDeltas() throws Exception {
        provider.thenStream(wire.text("It ", "is."));
        answer(task(10, List.of(), false));
        assertThat(lines).isEmpty();
    }

    @Test
    void answerRightAtTheRoundLimitCounts() throws Exception {
        provider.thenStream(wire.toolCall("", "t1", "echo", "{\"say\":\"once\"}"));
        provider.thenStream(wire.text("Done."));
        assertThat(answer(task(1, List.of(), false))).isEqualTo("Done.");
    }

    @Test
    void unknownToolIsAFailedStepThatIsSentToTheModel() throws Exception {
        provider.thenStream(wire.toolCall("", "t1", "nosuch", "{}"));
        provider.thenStream(wire.text("Sorry."));
        assertThat(answer(task(10, List.of(), false))).isEqualTo("Sorry.");
        assertThat(((StepEnded) lines.get(1)).status()).isEqualTo(StepEnded.Outcome.FAILED);
        assertThat(lastUserContent()).contains("Unknown tool nosuch", "\"is_error\":true");
    }

    @Test
    void invalidJsonArgumentsAreAFailedStepThatTheModelMayCorrect() throws Exception {
        provider.thenStream(wire.toolCall("", "t1", "echo", "{\"say\": \"half"));
        provider.thenStream(wire.text("Sorry."));
        assertThat(answer(task(10, List.of(), false))).isEqualTo("Sorry.");
        assertThat(((StepEnded) lines.get(1)).error()).contains("not valid JSON");
        assertThat(lastUserContent()).contains("not valid JSON", "\"is_error\":true");
    }

    @Test
    void failureOfTheModelIsTheFailureOfTheAgent() {
        provider.thenRefuse(401, "{}");
        assertThatExceptionOfType(AgentFailedException.class)
                .isThrownBy(() -> answer(task(10, List.of(), false)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("model_auth"));
    }

    @Test
    void attachedImageGoesAsImageAndAnyOtherFileAsHint() throws Exception {
        Files.write(folder.resolve("cat.png"), PNG);
        Files.writeString(folder.resolve("data.csv"), "a,b\n");
        provider.thenStream(wire.text("A cat."));
        answer(
                task(
                        10,
                        List.of(
                                new RunConfig.File(
                                        "cat.png", PNG.length, "x", "image/png", true, null),
                                new RunConfig.File("data.csv", 4, "x", "text/csv", true, null),
                                new RunConfig.File("old.txt", 9, "x", "text/plain", false, null)),
                        false));
        JsonNode content = provider.asked().getLast().body().at("/messages/2/content");
        assertThat(content.get(0).toString())
                .contains("what now?")
                .contains("data.csv (text/csv, 4 bytes) at /root/workspace/data.csv")
                .contains("view or grep")
                .contains("[Files of the conversation]", "old.txt");
        assertThat(content.at("/1/source/data").asString())
                .isEqualTo(Base64.getEncoder().encodeToString(PNG));
        String system = provider.asked().getLast().body().path("system").toString();
        assertThat(system)
                .contains("You are a pirate.", "/root/workspace/assets/")
                .doesNotContain("old.txt");
    }

    @ParameterizedTest
    @CsvSource({"image/png, the file is damaged", "image/svg+xml, view or grep"})
    void fileThatIsNoImageGoesAsHint(String type, String hint) throws Exception {
        Files.writeString(folder.resolve("cat"), "<svg/>");
        provider.thenStream(wire.text("Hm."));
        answer(task(10, List.of(new RunConfig.File("cat", 6, "x", type, true, null)), false));
        assertThat(lastUserContent()).contains(hint).doesNotContain("base64");
    }
}
