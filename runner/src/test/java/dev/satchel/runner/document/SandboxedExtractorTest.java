package dev.satchel.runner.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.tools.document.DocumentSelection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walls around the program that reads documents; the sandboxes are real. */
class SandboxedExtractorTest {
    private static final byte[] HTML =
            "<html><h1>Costs</h1><p>Rent 700</p></html>".getBytes(StandardCharsets.UTF_8);

    @TempDir Path data;
    private SandboxedExtractor extractor;

    @BeforeEach
    void open() throws IOException {
        extractor = extractor(DocumentSettings.DEFAULT);
    }

    private SandboxedExtractor extractor(DocumentSettings settings) throws IOException {
        return new SandboxedExtractor(OpenSandboxes.BUBBLEWRAP, data, settings);
    }

    @AfterEach
    void close() throws IOException {
        extractor.close();
    }

    private List<DocumentLine> read(byte[] bytes, String name) throws Exception {
        DocumentRequest request = DocumentRequest.text(name, DocumentSelection.ALL);
        try (ReceivedDocument document = extractor.receive(new ByteArrayInputStream(bytes))) {
            return lines(extractor.extract(document, request));
        }
    }

    private static List<DocumentLine> lines(InputStream in) throws IOException {
        List<DocumentLine> all = new ArrayList<>();
        try (DocumentLines lines = new DocumentLines(in)) {
            for (Optional<DocumentLine> line = lines.next();
                    line.isPresent();
                    line = lines.next()) {
                all.add(line.get());
            }
        }
        return all;
    }

    private long files(String directory) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve(directory))) {
            return files.count();
        }
    }

    @Test
    void linesEndWithAnOutcomeAndAreKeptWhileTheCopyIsNot() throws Exception {
        List<DocumentLine> lines = read(HTML, "page.html");
        assertThat(lines.getLast())
                .isInstanceOfAny(DocumentLine.End.class, DocumentLine.Failure.class);
        assertThat(files("work")).isZero();
        assertThat(files("cache")).isOne();
        assertThat(read(HTML, "other name.html")).isEqualTo(lines);
        assertThat(files("cache")).isOne();
    }

    @Test
    void whatIsNoDocumentIsAFailureInWords() throws Exception {
        assertThat(read(new byte[10], "x.bin"))
                .singleElement()
                .isInstanceOfSatisfying(
                        DocumentLine.Failure.class,
                        failure -> {
                            assertThat(failure.code())
                                    .isEqualTo(DocumentLine.Failure.Code.UNSUPPORTED);
                            assertThat(failure.message()).endsWith(".");
                        });
    }

    @Test
    void documentAboveTheLimitIsRefusedAndLeavesNothing() throws Exception {
        byte[] large = new byte[(int) DocumentSettings.DEFAULT.maxBytes() + 1];
        assertThatThrownBy(() -> extractor.receive(new ByteArrayInputStream(large)))
                .isInstanceOf(DocumentRefusedException.class)
                .hasMessage("It is larger than 100 MB.");
        assertThat(files("work")).isZero();
    }

    @Test
    void whatAKilledRunnerLeftIsRemoved() throws Exception {
        Files.createDirectories(data.resolve("work/left/files"));
        Files.writeString(data.resolve("work/left/files/document"), "secret");
        extractor.close();
        extractor = extractor(DocumentSettings.DEFAULT);
        assertThat(files("work")).isZero();
    }
}
