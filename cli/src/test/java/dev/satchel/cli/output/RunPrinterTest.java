package dev.satchel.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.model.Event;
import dev.satchel.client.model.RunUsage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed of a run where no terminal is. */
class RunPrinterTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void aRetryIsANoteAndTheAnswerIsPrintedOnce() {
        print(
                new Event.Thinking("Hm.", null, null, null),
                new Event.Delta("Half an ans", null, null, null),
                new Event.Retry(1, 4_000, "529", "Anthropic is overloaded.", "deep", null),
                new Event.Delta("The answer.", null, null, null),
                new Event.Result("The answer.", null, List.of(), List.of(), null, null, null, null),
                new Event.End("succeeded"));

        assertThat(text(out)).isEqualTo("The answer.\n");
        assertThat(text(err))
                .isEqualTo("Anthropic is overloaded. Trying again in 4 s (try 2, deep).\n");
    }

    @Test
    void anAnswerSaysThatTheAgentStoppedAtALimit() {
        print(
                new Event.Result(
                        "Half.", null, List.of(), List.of(), "max_rounds", null, null, null));

        assertThat(text(err)).contains("Stopped at the limit of rounds");
    }

    @Test
    void tokensAreCountedWithThoseOfTheCache() {
        assertThat(RunFormat.of(new RunUsage(1_000, 20, 200, 34, 1_500L)))
                .isEqualTo("1,234 tokens in, 20 out, 200 cached, $0.0015");
    }

    @Test
    void filesThatAreNotSavedYetAreNamedBesideTheAnswer() {
        print(new Event.Result("hi", null, List.of(), List.of(), null, null, "pending", null));

        assertThat(text(out)).isEqualTo("hi\n");
        assertThat(text(err)).contains("are not saved yet");
    }

    private void print(Event... events) {
        Output output =
                new Output(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        false);
        try (RunPrinter printer = new RunPrinter(output)) {
            for (Event event : events) {
                printer.print(event, "");
            }
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
