package dev.satchel.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Failure;
import dev.satchel.protocol.SandboxLine.Journal;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.Parked;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.Resumed;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.Steer;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden files are the contract: what is read from them is written back to the byte. */
class GoldenTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "log",
                "step-started",
                "step-succeeded",
                "step-failed",
                "delta",
                "result",
                "result-not-handed-over",
                "result-stopped",
                "result-usage",
                "thinking",
                "output",
                "usage",
                "retry",
                "ask",
                "ask-question",
                "parked",
                "resumed",
                "journal",
                "steer",
                "error",
                "without-times"
            })
    void linesAreReadAndWrittenToTheByte(String name) throws IOException {
        byte[] golden = golden(name + ".ndjson");
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        NdjsonWriter writer = new NdjsonWriter(written);
        for (SandboxLine line : lines(golden)) {
            writer.write(line);
        }
        assertThat(written.toByteArray()).isEqualTo(golden);
    }

    @ParameterizedTest
    @CsvSource({
        "dispatch.json, dev.satchel.protocol.Dispatch",
        "dispatch-headless.json, dev.satchel.protocol.Dispatch",
        "dispatch-continued.json, dev.satchel.protocol.Dispatch",
        "inbox.json, dev.satchel.protocol.InboxContent",
        "journal-page.json, dev.satchel.protocol.JournalPage",
        "config.json, dev.satchel.protocol.RunConfig",
        "config-least.json, dev.satchel.protocol.RunConfig",
        "config-command.json, dev.satchel.protocol.RunConfig",
        "config-outputs.json, dev.satchel.protocol.RunConfig",
        "config-model.json, dev.satchel.protocol.RunConfig",
        "config-asks.json, dev.satchel.protocol.RunConfig",
        "config-skills.json, dev.satchel.protocol.RunConfig",
        "sandbox.json, dev.satchel.protocol.SandboxContents",
        "config-conversation.json, dev.satchel.protocol.RunConfig",
        "outcome.json, dev.satchel.protocol.CommandOutcome",
        "env.json, dev.satchel.protocol.RunEnvironment",
        "results.json, dev.satchel.protocol.WriteBackResponse",
        "results-skipped.json, dev.satchel.protocol.WriteBackResponse"
    })
    void bodiesAreReadAndWrittenToTheByte(String name, Class<?> type) throws IOException {
        String golden = new String(golden(name), java.nio.charset.StandardCharsets.UTF_8);

        Object read = Json.MAPPER.readValue(golden, type);

        assertThat(Json.MAPPER.writeValueAsString(read) + "\n").isEqualTo(golden);
    }

    @Test
    void everyLineTypeIsParsed() throws IOException {
        assertThat(only("log"))
                .isEqualTo(new Log(LogLevel.INFO, "workspace ready", 1700000000000L));
        assertThat(only("delta")).isEqualTo(new Delta("Grüße, 世界 👋", 1700000000300L));
        assertThat(only("result")).isEqualTo(new Result("Done: see report.pdf", 1700000000400L));
        assertThat(only("error"))
                .isEqualTo(
                        new Failure(
                                "model_unavailable",
                                "the model did not answer in 60 s",
                                1700000000500L));
        assertThat(only("thinking"))
                .isEqualTo(new Thinking("The user wants a plan.", 1700000000250L));
        assertThat(only("output"))
                .isEqualTo(new Output("s1", Output.Stream.STDOUT, "Grüße\n", 1700000000150L));
        assertThat(only("usage"))
                .isEqualTo(
                        new Usage(
                                "claude-sonnet", "anthropic", 120, 48, 4096, 512, 1700000000310L));
        assertThat(only("retry"))
                .isEqualTo(new Retry(1, 8000, "429", "the model is busy", null, 1700000000320L));
        assertThat(only("ask"))
                .isEqualTo(
                        Ask.approval(
                                "call_2_1",
                                "sh",
                                Json.MAPPER.valueToTree(Map.of("command", "rm -r build")),
                                1700000000330L));
        Ask question = (Ask) only("ask-question");
        assertThat(question.kind()).isEqualTo(Ask.Kind.QUESTION);
        assertThat(question.options()).containsExactly("2025", "2026");
        assertThat(only("parked")).isEqualTo(new Parked(1700000000350L));
        assertThat(only("resumed")).isEqualTo(new Resumed(2, null));
        assertThat(only("steer"))
                .isEqualTo(new Steer("m-1", "Grüße, nur die erste Datei", 1700000000340L));
        assertThat(lines(golden("journal.ndjson")))
                .containsExactly(
                        new Journal(7, "{\"type\":\"reply\"", true, 1700000000330L),
                        new Journal(8, ",\"text\":\"Grüße\"}", null, 1700000000331L));
        assertThat(((Result) only("result-stopped")).stopped()).isEqualTo(Result.MAX_ROUNDS);
        StepStarted started = (StepStarted) only("step-started");
        assertThat(started.args()).isNotNull();
        StepEnded succeeded = (StepEnded) only("step-succeeded");
        assertThat(succeeded.status()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(succeeded.durationMs()).isEqualTo(42);
        StepEnded failed = (StepEnded) only("step-failed");
        assertThat(failed.status()).isEqualTo(Outcome.FAILED);
        assertThat(failed.error()).isEqualTo("no such file: plan.md");
    }

    @Test
    void onlyResultErrorAndParkedEndAConnection() throws IOException {
        assertThat(only("parked").last()).isTrue();
        assertThat(only("parked").terminal()).isFalse();
        assertThat(only("result").last()).isTrue();
        assertThat(only("ask").last()).isFalse();
        assertThat(only("ask").terminal()).isFalse();
        assertThat(only("result").terminal()).isTrue();
        assertThat(only("error").terminal()).isTrue();
        assertThat(only("log").terminal()).isFalse();
        assertThat(only("step-failed").terminal()).isFalse();
        assertThat(only("delta").terminal()).isFalse();
        assertThat(only("retry").terminal()).isFalse();
        assertThat(only("resumed").terminal()).isFalse();
        assertThat(only("journal").terminal()).isFalse();
        assertThat(only("steer").terminal()).isFalse();
    }

    @Test
    void membersOfALaterVersionAreNoError() throws IOException {
        String later = "{\"type\":\"result\",\"message\":\"x\",\"mood\":\"good\"}";

        assertThat(LineParser.parse(later.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo(new Result("x", null));
        assertThat(
                        Json.MAPPER
                                .readValue(
                                        "{\"variables\":{},\"script\":\"\",\"new\":1}",
                                        RunEnvironment.class)
                                .script())
                .isEmpty();
    }

    @Test
    void aModelKeyStaysOutOfLogs() throws IOException {
        RunConfig config = Json.MAPPER.readValue(golden("config.json"), RunConfig.class);

        assertThat(config.toString()).doesNotContain("model-key");
    }

    private static SandboxLine only(String name) throws IOException {
        return lines(golden(name + ".ndjson")).getFirst();
    }

    private static List<SandboxLine> lines(byte[] ndjson) throws IOException {
        List<SandboxLine> lines = new ArrayList<>();
        try (NdjsonReader reader = new NdjsonReader(new ByteArrayInputStream(ndjson), 10_000)) {
            for (Optional<byte[]> next = reader.next(); next.isPresent(); next = reader.next()) {
                lines.add(LineParser.parse(next.get()));
            }
        }
        return lines;
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            if (in == null) {
                throw new IOException("no golden file " + name);
            }
            return in.readAllBytes();
        }
    }
}
