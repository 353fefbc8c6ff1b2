package dev.satchel.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.documents.DocumentException;
import dev.satchel.server.document.ExtractionUnavailableException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents in sandboxes of the machine of the server; they are real. */
class LocalTextExtractorTest {
    private static final byte[] HTML =
            "<html><p>Rent of the aardvark</p></html>".getBytes(StandardCharsets.UTF_8);

    @TempDir Path data;

    @Test
    void itReadsWithTheLimitsOfTheServer() throws Exception {
        Map<String, String> variables =
                Map.of(
                        "PATH", System.getenv("PATH"),
                        "SATCHEL_OCR", "off",
                        "SATCHEL_DOCUMENT_MB", "1");
        try (LocalTextExtractor extractor = new LocalTextExtractor(variables, data)) {
            assertThat(extractor.unavailable()).isEmpty();
            assertThat(extractor.readsPictures()).isFalse();
            assertThat(RunnerTextExtractorTest.text(extractor, HTML, "a.html"))
                    .isEqualTo("Rent of the aardvark");
            assertThatThrownBy(
                            () ->
                                    RunnerTextExtractorTest.text(
                                            extractor, new byte[1_100_000], "a.html"))
                    .isInstanceOf(DocumentException.class)
                    .hasMessage("It is larger than 1 MB.");
            assertThatThrownBy(
                            () -> extractor.render(new ByteArrayInputStream(HTML), "a.html", 1, 99))
                    .isInstanceOf(DocumentException.class)
                    .hasMessage("Only pages of a PDF can be shown as a picture.");
        }
    }

    @Test
    void itReadsPicturesWhereOcrIsOn() throws Exception {
        boolean hasTesseract = Files.isExecutable(Path.of("/usr/bin/tesseract"));
        Map<String, String> variables = Map.of("PATH", System.getenv("PATH"));
        try (LocalTextExtractor extractor = new LocalTextExtractor(variables, data)) {
            assertThat(extractor.readsPictures()).isEqualTo(hasTesseract);
        }
    }

    @Test
    void withoutBubblewrapItSaysWhatIsMissing() throws Exception {
        Map<String, String> variables = Map.of("PATH", data.toString());
        try (LocalTextExtractor extractor = new LocalTextExtractor(variables, data)) {
            assertThat(extractor.unavailable().orElseThrow())
                    .startsWith("Documents are not read: ")
                    .contains("bubblewrap", "this server needs it beside its containers or pods");
            assertThat(extractor.readsPictures()).isFalse();
            assertThatThrownBy(() -> RunnerTextExtractorTest.text(extractor, HTML, "a.html"))
                    .isInstanceOf(ExtractionUnavailableException.class)
                    .hasMessage(extractor.unavailable().orElseThrow());
        }
    }
}
