package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.runner.agent.LoopSettings;
import dev.satchel.runner.document.AttachedDocuments;
import dev.satchel.runner.document.DocumentSettings;
import dev.satchel.runner.document.ParserLimits;
import dev.satchel.runner.model.ModelProvider;
import dev.satchel.runner.model.ModelSettings;
import dev.satchel.runner.model.RetryPolicy;
import dev.satchel.runner.sandbox.SandboxLimits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunnerConfigurationTest {
    @Test
    void nothingSetGivesSensibleDefaults() {
        RunnerConfiguration usual = RunnerConfiguration.from(Map.of(), List.of());
        assertThat(usual.listener().host()).isEqualTo("127.0.0.1");
        assertThat(usual.listener().port()).isEqualTo(8090);
        assertThat(usual.dataDir()).isEqualTo(Path.of("data"));
        assertThat(usual.listener().secret()).isNull();
        assertThat(usual.maxRuns()).isEqualTo(16);
        assertThat(usual.limits()).isEqualTo(SandboxLimits.DEFAULT);
        assertThat(usual.models().operator().standard()).isEmpty();
    }

    @Test
    void everyLimitOfTheLoopIsASetting() {
        RunnerConfiguration given =
                RunnerConfiguration.from(
                        Map.of(
                                "SATCHEL_PARALLEL_READS", "2",
                                "SATCHEL_ANSWER_CONTINUATIONS", "0",
                                "SATCHEL_STEP_OUTPUT_KB", "1",
                                "SATCHEL_COMPACT_AT_PERCENT", "60",
                                "SATCHEL_COMPACT_KEEP_PERCENT", "30",
                                "SATCHEL_TOOL_RESULT_PERCENT", "10",
                                "SATCHEL_EARLIER_IMAGES", "1",
                                "SATCHEL_EARLIER_IMAGES_MB", "2",
                                "SATCHEL_IMAGE_MEGAPIXELS", "3"),
                        List.of());
        assertThat(given.loop())
                .isEqualTo(
                        new LoopSettings(
                                2,
                                0,
                                1024,
                                new LoopSettings.WindowShares(0.6, 0.3, 0.1),
                                new LoopSettings.ImageSettings(1, 2_000_000, 3_000_000)));
        assertThat(RunnerConfiguration.from(Map.of(), List.of()).loop())
                .isEqualTo(LoopSettings.DEFAULT);
    }

    @Test
    void everyLimitOfDocumentsIsASetting() {
        RunnerConfiguration given =
                RunnerConfiguration.from(
                        Map.ofEntries(
                                Map.entry("SATCHEL_DOCUMENT_PARALLEL", "1"),
                                Map.entry("SATCHEL_DOCUMENT_WAITING", "2"),
                                Map.entry("SATCHEL_DOCUMENT_SECONDS", "3"),
                                Map.entry("SATCHEL_DOCUMENT_MEMORY_MB", "256"),
                                Map.entry("SATCHEL_DOCUMENT_MB", "5"),
                                Map.entry("SATCHEL_DOCUMENT_TEXT_MB", "6"),
                                Map.entry("SATCHEL_DOCUMENT_CACHE_MB", "7"),
                                Map.entry("SATCHEL_DOCUMENT_CACHE_HOURS", "18"),
                                Map.entry("SATCHEL_DOCUMENTS_PER_SEARCH", "8"),
                                Map.entry("SATCHEL_DOCUMENT_HINT_SECONDS", "9"),
                                Map.entry("SATCHEL_PDF_PAGES", "10"),
                                Map.entry("SATCHEL_PDF_MB", "11"),
                                Map.entry("SATCHEL_DOCUMENT_PARTS", "12"),
                                Map.entry("SATCHEL_DOCUMENT_CELLS", "13"),
                                Map.entry("SATCHEL_DOCUMENT_PICTURES", "14"),
                                Map.entry("SATCHEL_DOCUMENT_ENTRIES", "15"),
                                Map.entry("SATCHEL_DOCUMENT_UNPACKED_MB", "16"),
                                Map.entry("SATCHEL_DOCUMENT_UNPACKED_TIMES", "17"),
                                Map.entry("SATCHEL_OCR", "eng+deu")),
                        List.of());
        int mib = 1 << 20;
        assertThat(given.documents())
                .isEqualTo(
                        new DocumentSettings(
                                1,
                                2,
                                Duration.ofSeconds(3),
                                256L * mib,
                                5L * mib,
                                6 * mib,
                                7L * mib,
                                Duration.ofHours(18),
                                8,
                                "eng+deu",
                                new ParserLimits(12, 13, 14, 15, 16L * mib, 17)));
        assertThat(given.loop().documents())
                .isEqualTo(new AttachedDocuments(Duration.ofSeconds(9), 10, 11_000_000));
        RunnerConfiguration standard = RunnerConfiguration.from(Map.of(), List.of());
        assertThat(standard.documents()).isEqualTo(DocumentSettings.DEFAULT);
        RunnerConfiguration off = RunnerConfiguration.from(Map.of("SATCHEL_OCR", "off"), List.of());
        assertThat(off.documents().ocr()).isEmpty();
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(
                        () -> RunnerConfiguration.from(Map.of("SATCHEL_OCR", "eng; rm"), List.of()))
                .withMessageContaining("SATCHEL_OCR must be languages of tesseract");
    }

    @Test
    void triesOfACallAreASetting() {
        RetryPolicy given =
                RunnerConfiguration.from(
                                Map.of(
                                        "SATCHEL_MODEL_TRIES", "2",
                                        "SATCHEL_MODEL_WAIT_SECONDS", "7"),
                                List.of())
                        .models()
                        .retries();
        assertThat(given.tries()).isEqualTo(2);
        assertThat(given.longestRetryAfter()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void moreCannotBeKeptThanIsFull() {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(
                        () ->
                                RunnerConfiguration.from(
                                        Map.of("SATCHEL_COMPACT_KEEP_PERCENT", "80"), List.of()))
                .satisfies(
                        e ->
                                assertThat(e.problems())
                                        .containsExactly(
                                                "SATCHEL_COMPACT_KEEP_PERCENT must be less than"
                                                        + " SATCHEL_COMPACT_AT_PERCENT"));
    }

    @Test
    void argumentsWinOverTheEnvironment() {
        RunnerConfiguration given =
                RunnerConfiguration.from(
                        Map.of(
                                "SATCHEL_PORT", "1",
                                "SATCHEL_HOST", "0.0.0.0",
                                "SANDBOX_TOKEN", "secret"),
                        List.of("--port", "2", "--data=/tmp/x"));
        assertThat(given.listener().port()).isEqualTo(2);
        assertThat(given.listener().host()).isEqualTo("0.0.0.0");
        assertThat(given.dataDir()).isEqualTo(Path.of("/tmp/x"));
    }

    @Test
    void everythingWrongIsToldAtOnce() {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(
                        () ->
                                RunnerConfiguration.from(
                                        Map.of(
                                                "SATCHEL_MAX_RUNS", "many",
                                                "SATCHEL_SANDBOX_DISK_MB", "-1",
                                                "OPENAI_BASE_URL", "nowhere"),
                                        List.of("--port", "99999", "--colour", "--host")))
                .satisfies(
                        e ->
                                assertThat(String.join("\n", e.problems()))
                                        .contains("SATCHEL_MAX_RUNS", "SATCHEL_SANDBOX_DISK_MB")
                                        .contains("OPENAI_BASE_URL", "SATCHEL_PORT")
                                        .contains("--colour", "--host needs a value"));
    }

    @Test
    void embeddedRunnerListensOnLoopbackWhateverTheServerDoes() {
        RunnerConfiguration embedded =
                RunnerConfiguration.embedded(
                        Map.of("SATCHEL_HOST", "0.0.0.0", "ANTHROPIC_API_KEY", "k"),
                        Path.of("d"),
                        "secret");
        assertThat(embedded.listener().host()).isEqualTo("127.0.0.1");
        assertThat(embedded.listener().port()).isZero();
        assertThat(embedded.listener().secret()).isEqualTo("secret");
        assertThat(embedded.models().operator().standard())
                .map(ModelSettings::provider)
                .contains(ModelProvider.ANTHROPIC);
    }

    @Test
    void textHidesSecretAndKey() {
        RunnerConfiguration given =
                RunnerConfiguration.embedded(
                        Map.of("ANTHROPIC_API_KEY", "sk-key"), Path.of("d"), "s3cret");
        assertThat(given.toString()).doesNotContain("sk-key").doesNotContain("s3cret");
    }

    @Test
    void programThatIsStartedWronglySaysWhyAndEnds() {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code =
                RunnerMain.run(
                        List.of("--port", "x"),
                        Map.of(),
                        new PrintStream(errors, true, StandardCharsets.UTF_8));
        assertThat(code).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("SATCHEL_PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void programThatEverybodyCouldCallRefusesToStart(String host) {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code =
                RunnerMain.run(
                        List.of("--host", host, "--port", "x"),
                        Map.of("SANDBOX_TOKEN", " "),
                        new PrintStream(errors, true, StandardCharsets.UTF_8));
        assertThat(code).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("SANDBOX_TOKEN must be set to listen on " + host, "SATCHEL_PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "127.8.8.8"})
    void loopbackNeedsNoSecret(String host) {
        assertThat(
                        RunnerConfiguration.from(Map.of("SATCHEL_HOST", host), List.of())
                                .listener()
                                .host())
                .isEqualTo(host);
    }

    @Test
    void hostThatIsNoneIsAProblemThatNamesTheVariable() {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(
                        () ->
                                RunnerConfiguration.from(
                                        Map.of("SATCHEL_PRIVATE_HOSTS", "a, http://b"), List.of()))
                .withMessageContaining("SATCHEL_PRIVATE_HOSTS")
                .withMessageContaining("http://b");
    }

    @Test
    void programWithoutAWorkingSandboxRefusesToStart() {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        assertThat(run(Map.of("PATH", "/nowhere"), errors)).isEqualTo(1);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("bubblewrap is missing");
    }

    @Test
    void unknownSandboxIsWrongUse() {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        assertThat(run(Map.of("SATCHEL_SANDBOX", "paper"), errors)).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .isEqualTo("SATCHEL_SANDBOX must be bubblewrap or unsafe, not paper\n");
    }

    private static int run(Map<String, String> variables, ByteArrayOutputStream errors) {
        return RunnerMain.run(
                List.of(), variables, new PrintStream(errors, true, StandardCharsets.UTF_8));
    }
}
