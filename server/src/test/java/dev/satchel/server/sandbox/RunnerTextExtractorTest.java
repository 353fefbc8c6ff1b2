package dev.satchel.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.runner.RunnerServer;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.document.ExtractionUnavailableException;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.tools.document.DocumentSelection;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A runner in another process, as {@code SANDBOX_URL} names it, reads documents for a server. */
class RunnerTextExtractorTest {
    private static final String SECRET = "a-secret-of-the-runner";
    private static final byte[] HTML =
            "<html><h1>Costs</h1><p>Rent of the aardvark</p></html>"
                    .getBytes(StandardCharsets.UTF_8);

    @TempDir private static Path data;
    private static RunnerServer runner;

    @BeforeAll
    static void start() throws Exception {
        runner = runner("runner", "off");
    }

    private static RunnerServer runner(String name, String ocr) throws Exception {
        Map<String, String> environment =
                Map.of(
                        "PATH",
                        System.getenv("PATH"),
                        "SATCHEL_OCR",
                        ocr,
                        "SATCHEL_DOCUMENT_MB",
                        "1");
        RunnerServer made =
                new RunnerServer(
                        RunnerConfiguration.embedded(environment, data.resolve(name), SECRET),
                        SandboxSetup.detect(environment));
        made.start();
        return made;
    }

    @AfterAll
    static void stop() {
        runner.close();
    }

    private static RunnerTextExtractor extractor(RunnerServer at, @Nullable String secret) {
        URI url = URI.create("http://127.0.0.1:" + at.port() + "/");
        return new RunnerTextExtractor(new FixedSandboxProvider(url, secret));
    }

    /** The texts of all parts. */
    static String text(TextExtractor extractor, byte[] bytes, String name) throws Exception {
        StringBuilder text = new StringBuilder();
        try (DocumentLines lines =
                extractor.extract(new ByteArrayInputStream(bytes), name, DocumentSelection.ALL)) {
            for (Optional<DocumentLine> line = lines.next();
                    line.isPresent();
                    line = lines.next()) {
                if (line.get() instanceof DocumentLine.Part(DocumentPart part)) {
                    text.append(part.text());
                }
            }
        }
        return text.toString();
    }

    @Test
    void theRunnerReadsWithItsSecret() throws Exception {
        try (RunnerTextExtractor extractor = extractor(runner, SECRET)) {
            assertThat(extractor.unavailable()).isEmpty();
            assertThat(text(extractor, HTML, "a b&c.html")).contains("Rent of the aardvark");
        }
    }

    @Test
    void aWrongOrMissingSecretIsRefused() throws Exception {
        for (String secret : new String[] {"wrong", null}) {
            try (RunnerTextExtractor extractor = extractor(runner, secret)) {
                assertThatThrownBy(() -> text(extractor, HTML, "a.html"))
                        .isInstanceOf(ExtractionUnavailableException.class)
                        .hasMessage("The runner reads no document now: it answered 401.");
                assertThatThrownBy(extractor::readsPictures)
                        .isInstanceOf(ExtractionUnavailableException.class)
                        .hasMessage("The runner reads no document now: it answered 401.");
            }
        }
    }

    @Test
    void theRunnerSaysWhetherItReadsPictures() throws Exception {
        boolean hasTesseract = Files.isExecutable(Path.of("/usr/bin/tesseract"));
        RunnerServer withOcr = runner("with-ocr", "eng");
        try (RunnerTextExtractor on = extractor(withOcr, SECRET);
                RunnerTextExtractor off = extractor(runner, SECRET)) {
            assertThat(on.readsPictures()).isEqualTo(hasTesseract);
            assertThat(off.readsPictures()).isFalse();
        } finally {
            withOcr.close();
        }
    }

    @Test
    void aRunnerThatIsGoneMayAnswerLater() throws Exception {
        URI nobody = URI.create("http://127.0.0.1:1");
        try (RunnerTextExtractor extractor =
                new RunnerTextExtractor(new FixedSandboxProvider(nobody, SECRET))) {
            for (String name : new String[] {"a.html", "b.html"}) {
                assertThatThrownBy(() -> text(extractor, HTML, name))
                        .isInstanceOf(ExtractionUnavailableException.class)
                        .hasMessage("The runner reads no document now: it does not answer.");
            }
            assertThatThrownBy(extractor::readsPictures)
                    .isInstanceOf(ExtractionUnavailableException.class);
        }
    }

    @Test
    void theServerFindsWhatItReads() throws Exception {
        try (TestServer server = server(SECRET)) {
            String chat = server.newChat();
            JsonNode file = server.upload(chat, "a.html", new String(HTML, StandardCharsets.UTF_8));
            server.sweep();
            assertThat(server.getJson("/api/search?q=aardvark&in=files").at("/hits/0/fileId"))
                    .isEqualTo(file.get("id"));
        }
    }

    @Test
    void theServerWithAWrongSecretKeepsTheFileForLater() throws Exception {
        try (TestServer server = server("wrong")) {
            String chat = server.newChat();
            String file =
                    server.upload(chat, "a.html", new String(HTML, StandardCharsets.UTF_8))
                            .get("id")
                            .stringValue();
            server.sweep();
            JsonNode text =
                    server.getJson("/api/assistant/chats/" + chat + "/files/" + file + "/text");
            assertThat(text.get("status").stringValue()).isEqualTo("pending");
            assertThat(text.get("problem").stringValue())
                    .isEqualTo("The runner reads no document now: it answered 401.");
        }
    }

    private static TestServer server(String secret) throws Exception {
        URI url = URI.create("http://127.0.0.1:" + runner.port());
        Configuration usual =
                TestServer.configuration(Files.createTempDirectory("satchel-test-"), null, url);
        return TestServer.start(
                TestConfiguration.withSandbox(usual, TestConfiguration.remote(url, secret)),
                Clock.systemUTC());
    }
}
