package dev.satchel.runner.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.ReadOnlyMount;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.tools.document.DocumentSelection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
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

    private static String text(List<DocumentLine> lines) {
        StringBuilder text = new StringBuilder();
        for (DocumentLine line : lines) {
            if (line instanceof DocumentLine.Part(DocumentPart part)) {
                text.append(part.kind().wireName()).append(part.number()).append(' ');
                text.append(part.text()).append('\n');
            }
        }
        return text.toString();
    }

    @Test
    void theProcessSeesOnlyTheDocumentAndHasNoNetwork() throws Exception {
        RecordingSandboxFactory sandboxes = new RecordingSandboxFactory();
        extractor.close();
        extractor = new SandboxedExtractor(sandboxes, data, DocumentSettings.DEFAULT);
        assertThat(text(read(TestDocuments.pdf("one", "two"), "--pages.pdf")))
                .isEqualTo("page1 one\npage2 two\n");
        SandboxSpec spec = sandboxes.specs.getFirst();
        assertThat(spec.allowedHosts()).isEmpty();
        assertThat(spec.environment()).containsOnlyKeys("MALLOC_ARENA_MAX", "OMP_THREAD_LIMIT");
        assertThat(spec.limits().memoryBytes()).isEqualTo(DocumentSettings.DEFAULT.memoryBytes());
        assertThat(sandboxes.files).containsExactly("document");
        assertThat(sandboxes.commands.getFirst().arguments())
                .containsSequence("--max-parts", "100000")
                .containsSequence("--max-cells", "20000000")
                .containsSequence("--max-pictures", "20")
                .containsSequence("--max-entries", "200000")
                .containsSequence("--max-unpacked", Long.toString(2048L << 20))
                .containsSequence("--max-times", "250")
                .containsSequence("--max-text", Integer.toString(16 << 20))
                .containsSequence("--max-seconds", "60");
        assertThat(sandboxes.commands.getFirst().mounts())
                .extracting(ReadOnlyMount::target)
                .containsExactly("/satchel/java", "/satchel/documents");
    }

    @Test
    void aDocumentThatNeedsTooMuchMemoryIsAFailureInWords() throws Exception {
        extractor.close();
        extractor = extractor(settings(1, DocumentSettings.DEFAULT.time(), 128L << 20));
        byte[] html = "x".repeat(90 << 20).getBytes(StandardCharsets.UTF_8);
        List<DocumentLine> lines = read(html, "large.html");
        assertThat(lines.getLast()).isInstanceOf(DocumentLine.Failure.class);
        assertThat(text(read(TestDocuments.pdf("still fine"), "small.pdf")))
                .isEqualTo("page1 still fine\n");
    }

    @Test
    void theSameDocumentTwiceAtOnceIsReadOnce() throws Exception {
        RecordingSandboxFactory sandboxes = new RecordingSandboxFactory();
        extractor.close();
        extractor = new SandboxedExtractor(sandboxes, data, DocumentSettings.DEFAULT);
        byte[] pdf = TestDocuments.pdf("one");
        List<String> texts = Collections.synchronizedList(new ArrayList<>());
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            texts.add(text(read(pdf, "a.pdf")));
                                        } catch (Exception e) {
                                            texts.add(e.toString());
                                        }
                                    }));
        }
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(texts).hasSize(3).containsOnly("page1 one\n");
        assertThat(sandboxes.commands).hasSize(1);
    }

    @Test
    void anInterruptEndsTheProcessAtOnce() throws Exception {
        String mark = "mark-" + UUID.randomUUID();
        RecordingSandboxFactory sandboxes = new RecordingSandboxFactory();
        sandboxes.instead = List.of("/bin/sh", "-c", "sleep 1000; true", mark);
        extractor.close();
        extractor = new SandboxedExtractor(sandboxes, data, DocumentSettings.DEFAULT);
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread reader =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        read(HTML, "a.html");
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        while (processes(mark).isEmpty()) {
            assertThat(reader.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        reader.interrupt();
        reader.join();
        assertThat(interrupted.getCount()).isZero();
        assertThat(processes(mark)).isEmpty();
        assertThat(files("work")).isZero();
        assertThat(files("cache")).isZero();
    }

    @Test
    void whatTheProgramPrintsIsCheckedAndHasAnEnd() throws Exception {
        RecordingSandboxFactory sandboxes = new RecordingSandboxFactory();
        extractor.close();
        extractor = new SandboxedExtractor(sandboxes, data, DocumentSettings.DEFAULT);
        String part = "{\"type\":\"part\",\"kind\":\"page\",\"number\":1,\"text\":\"one\"}";
        sandboxes.instead = List.of("/bin/echo", part + "\n{\"type\":\"nonsense\"}");
        assertThat(read(HTML, "a.html"))
                .containsExactly(
                        new DocumentLine.Part(
                                DocumentPart.text(DocumentPart.Kind.PAGE, 1, null, "one")),
                        new DocumentLine.Cut(
                                "The rest was not read. The program that reads documents failed."),
                        new DocumentLine.End());
        sandboxes.instead = List.of("/bin/false");
        assertThat(read(HTML, "a.html"))
                .containsExactly(
                        new DocumentLine.Failure(
                                DocumentLine.Failure.Code.BROKEN,
                                "The program that reads documents failed."));
        assertThat(files("cache")).isZero();
    }

    private static List<ProcessHandle> processes(String mark) {
        return ProcessHandle.allProcesses()
                .filter(
                        process -> {
                            try {
                                return Files.readString(
                                                Path.of(
                                                        "/proc",
                                                        Long.toString(process.pid()),
                                                        "cmdline"),
                                                StandardCharsets.ISO_8859_1)
                                        .contains(mark);
                            } catch (IOException _) {
                                return false; // it has ended
                            }
                        })
                .toList();
    }

    @Test
    void scannedPagesAndPicturesAreReadByOcrWhereItIsOn() throws Exception {
        assumeTrue(extractor.readsPictures(), "tesseract is not installed");
        byte[] scan = TestDocuments.scannedPdf("Invoice 4711");
        byte[] photo = TestDocuments.png("Invoice 4712");
        assertThat(text(read(scan, "scan.pdf"))).contains("Invoice 4711");
        assertThat(text(read(photo, "photo.png"))).isEqualTo("section1 Invoice 4712\n");
        extractor.close();
        extractor = extractor(settings(1, DocumentSettings.DEFAULT.time(), 1 << 30));
        assertThat(extractor.readsPictures()).isFalse();
        assertThat(text(read(photo, "photo.png"))).isEmpty();
        assertThat(read(scan, "scan.pdf"))
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .isInstanceOfSatisfying(
                                                DocumentLine.Part.class,
                                                part ->
                                                        assertThat(part.part().isPicture())
                                                                .isTrue()));
    }

    /** Without OCR, one document at a time. */
    private static DocumentSettings settings(int waiting, Duration time, long memory) {
        DocumentSettings usual = DocumentSettings.DEFAULT;
        return new DocumentSettings(
                1,
                waiting,
                time,
                memory,
                usual.maxBytes(),
                usual.maxTextBytes(),
                usual.cacheBytes(),
                usual.cacheAge(),
                1,
                "",
                usual.parser());
    }

    @Test
    void aDocumentThatTakesTooLongFailsInWordsAndIsNotKept() throws Exception {
        extractor.close();
        extractor = extractor(settings(1, Duration.ofSeconds(1), 1 << 30));
        assertThat(read(TestDocuments.endlessPdf(), "endless.pdf").getLast())
                .isInstanceOfSatisfying(
                        DocumentLine.Failure.class,
                        failure -> {
                            assertThat(failure.code()).isEqualTo(DocumentLine.Failure.Code.TIMEOUT);
                            assertThat(failure.message()).endsWith("took longer than 1 seconds.");
                        });
        assertThat(files("work")).isZero();
        assertThat(files("cache")).isZero();
    }

    @Test
    void oneMoreThanMayWaitIsRefusedAndHarmsNoOther() throws Exception {
        RecordingSandboxFactory sandboxes = new RecordingSandboxFactory();
        String part = "{\"type\":\"part\",\"kind\":\"page\",\"number\":1,\"text\":\"one\"}";
        sandboxes.instead =
                List.of(
                        "/bin/sh",
                        "-c",
                        "until [ -e end ]; do sleep 0.05; done; echo '" + part + "'");
        extractor.close();
        extractor =
                new SandboxedExtractor(
                        sandboxes, data, settings(0, DocumentSettings.DEFAULT.time(), 1 << 30));
        FutureTask<String> first = new FutureTask<>(() -> text(read(HTML, "a.html")));
        Thread reader = Thread.ofPlatform().start(first);
        while (sandboxes.commands.isEmpty()) {
            assertThat(reader.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        byte[] other = TestDocuments.pdf("two");
        assertThatThrownBy(() -> read(other, "b.pdf"))
                .isInstanceOfSatisfying(
                        DocumentRefusedException.class,
                        refused -> assertThat(refused.isBusy()).isTrue())
                .hasMessage("Too many documents are being read. Try again in a minute.");
        assertThat(files("work")).as("the copy of the first").isOne();

        Files.createFile(sandboxes.specs.getFirst().workspace().resolve("end"));
        assertThat(first.get()).isEqualTo("page1 one\n");
        sandboxes.instead = List.of();
        assertThat(text(read(other, "b.pdf"))).isEqualTo("page1 two\n");
    }
}
