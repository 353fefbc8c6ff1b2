package dev.satchel.runner.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the model is told of a document before it has read any of it. */
class DocumentSummaryTest {
    private static final String OFF = "OCR is turned off (SATCHEL_OCR of the runner).";

    private static DocumentSummary scan(int pictures) {
        return new DocumentSummary(
                new DocumentLine.Header(DocumentFormat.PDF, 3, "Report"), Set.of(), pictures, null);
    }

    @Test
    void pagesThatArePicturesAreNamedWithTheReasonWhyTheirTextIsNotRead() {
        assertThat(scan(2).hint(OFF))
                .isEqualTo(
                        "PDF, 3 pages, \"Report\". Read it with view (pages, or render=true for a"
                                + " picture of one) or grep. 2 pages are pictures whose text is not"
                                + " read: OCR is turned off (SATCHEL_OCR of the runner). view with"
                                + " render=true shows one.");
        assertThat(scan(1).hint("")).contains("1 page is a picture in which OCR found no text.");
        assertThat(scan(0).hint(OFF)).doesNotContain("OCR");
    }

    @Test
    void sheetsAreNamedUpToALimit() {
        Set<String> sheets =
                new LinkedHashSet<>(IntStream.range(0, 21).mapToObj(i -> "s" + i).toList());
        DocumentLine.Header header = new DocumentLine.Header(DocumentFormat.XLSX, 21, null);

        assertThat(new DocumentSummary(header, sheets, 0, null).hint(""))
                .isEqualTo(
                        "Excel workbook, 21 sheets. Sheets: "
                                + String.join(", ", List.copyOf(sheets).subList(0, 20))
                                + ", …. Read it with view (sheet, range) or grep.");
    }

    @ParameterizedTest
    @CsvSource({
        "ZIP, view lists it; unpack it with sh.",
        "NOTEBOOK, Read it with view (pages) or grep.",
        "DOCX, Read it with view or grep."
    })
    void theToolsThatReadItAreNamed(DocumentFormat format, String tools) {
        DocumentLine.Header header = new DocumentLine.Header(format, null, null);

        assertThat(new DocumentSummary(header, Set.of(), 0, null).hint("")).endsWith(tools);
    }

    @Test
    void theRestThatCannotBeReadIsNamed() {
        DocumentLine.Header header = new DocumentLine.Header(DocumentFormat.DOCX, null, null);

        assertThat(new DocumentSummary(header, Set.of(), 0, "It is cut off.").hint(""))
                .endsWith("The rest cannot be read: It is cut off.");
    }

    @ParameterizedTest
    @CsvSource({
        "'', OCR is turned off (SATCHEL_OCR of the runner).",
        "eng, 'OCR needs tesseract, which is not installed on the runner (SATCHEL_OCR).'"
    })
    void aRunnerSaysWhyItReadsNoPictures(String languages, String reason, @TempDir Path folder)
            throws IOException {
        RecordingSandboxFactory withoutTesseract = new RecordingSandboxFactory();
        withoutTesseract.root = folder.resolve("root");
        try (SandboxedExtractor extractor =
                new SandboxedExtractor(withoutTesseract, folder, ocr(languages))) {
            assertThat(new SandboxedDocuments(extractor).picturesUnread()).isEqualTo(reason);
        }
    }

    private static DocumentSettings ocr(String languages) {
        DocumentSettings usual = DocumentSettings.DEFAULT;
        return new DocumentSettings(
                usual.parallel(),
                usual.waiting(),
                usual.time(),
                usual.memoryBytes(),
                usual.maxBytes(),
                usual.maxTextBytes(),
                usual.cacheBytes(),
                usual.cacheAge(),
                usual.perSearch(),
                languages,
                usual.parser());
    }
}
