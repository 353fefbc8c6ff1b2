package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLine.Picture;
import dev.satchel.documents.pdf.PdfReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import javax.imageio.ImageIO;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PDFs by both engines: the programs of poppler, and PDFBox where these are not installed. */
class PdfTest {
    @TempDir private Path folder;

    private Extraction read(boolean usesPoppler, PdfFile pdf, String... options)
            throws IOException {
        Path file = Files.write(folder.resolve("a.pdf"), pdf.bytes());
        pdf.close();
        return Extraction.with(new PdfReader(usesPoppler), file, options);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pagesAreParts(boolean usesPoppler) throws IOException {
        PdfFile pdf = new PdfFile().title("Report");
        for (int i = 1; i <= 5; i++) {
            pdf.page().text(50, 700, "This is page " + i);
        }

        Extraction found = read(usesPoppler, pdf, "--pages", "2-4");

        assertThat(found.header())
                .isEqualTo(new DocumentLine.Header(DocumentFormat.PDF, 5, "Report"));
        assertThat(found.parts()).extracting(DocumentPart::number).containsExactly(2, 3, 4);
        assertThat(found.text(0)).isEqualTo("This is page 2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void columnsFollowEachOther(boolean usesPoppler) throws IOException {
        PdfFile pdf =
                new PdfFile()
                        .page()
                        .text(
                                50,
                                740,
                                "A title that is as wide as the whole page of this paper, really");
        for (int i = 0; i < 12; i++) {
            pdf.text(50, 700 - i * 14, "left column line number " + i + " of text");
        }
        for (int i = 0; i < 12; i++) {
            pdf.text(320, 700 - i * 14, "right column line number " + i + " of text");
        }

        String text = read(usesPoppler, pdf).text();

        assertThat(text.indexOf("left column line number 11"))
                .isBetween(0, text.indexOf("right column line number 0"));
        assertThat(text).startsWith("A title");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsOfATableStayTogether(boolean usesPoppler) throws IOException {
        PdfFile pdf = new PdfFile().page();
        String[][] rows = {{"Name", "Amount"}, {"Ann", "12"}, {"Bob", "7"}};
        for (int i = 0; i < rows.length; i++) {
            pdf.text(50, 700 - i * 14, rows[i][0]).text(300, 700 - i * 14, rows[i][1]);
        }

        assertThat(read(usesPoppler, pdf).text()).isEqualTo("Name | Amount\nAnn | 12\nBob | 7");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rotatedPagesAreRead(boolean usesPoppler) throws IOException {
        PdfFile pdf = new PdfFile().page().rotated(90).text(50, 700, "turned around");

        assertThat(read(usesPoppler, pdf).text()).isEqualTo("turned around");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void otherScriptsAreRead(boolean usesPoppler) throws IOException {
        PdfFile pdf = new PdfFile().page();
        PDFont font = pdf.scripts();
        // Hebrew is stored in the order in which it is painted
        pdf.text(50, 700, "Ελληνικά Кириллица", font).text(50, 650, "םולש", font);

        pdf.page().japanese(50, 700);

        String text = read(usesPoppler, pdf).text();

        assertThat(text).contains("日本語").contains("Ελληνικά Кириллица").contains("שלום");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void scannedPagesArePictures(boolean usesPoppler) throws IOException {
        PdfFile pdf = new PdfFile().page().picture("Invoice").page().page().text(50, 700, "x");

        assertThat(read(usesPoppler, pdf).parts())
                .extracting(DocumentPart::isPicture)
                .containsExactly(true, false, false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void scannedPagesAreReadByOcr(boolean usesPoppler) throws IOException {
        PdfFile pdf = new PdfFile().page().picture("Invoice").page().text(50, 700, "plain");

        Extraction found = read(usesPoppler, pdf, "--ocr", "eng");

        assertThat(found.text(0)).contains("Invoice");
        assertThat(found.parts()).extracting(DocumentPart::isOcr).containsExactly(true, false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPageIsRenderedWithinItsPixels(boolean usesPoppler) throws IOException {
        PdfFile pdf = new PdfFile().page().page().text(50, 700, "seen");

        Picture picture =
                (Picture)
                        read(usesPoppler, pdf, "--render", "2", "--max-pixels", "400")
                                .lines()
                                .getFirst();

        var image =
                ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(picture.data())));
        assertThat(picture.page()).isEqualTo(2);
        assertThat(Math.max(image.getWidth(), image.getHeight())).isBetween(395, 401);
    }

    @Test
    void aPasswordIsAnErrorOfItsOwn() throws IOException {
        try (PdfFile pdf = new PdfFile().page().text(50, 700, "secret").protect("open")) {
            assertThat(Extraction.of("a.pdf", pdf.bytes()).failure())
                    .isEqualTo(Failure.Code.ENCRYPTED);
        }
        try (PdfFile pdf = new PdfFile().page().text(50, 700, "readable").protect("")) {
            assertThat(Extraction.of("a.pdf", pdf.bytes()).text()).isEqualTo("readable");
        }
    }

    @Test
    void aPageThatDoesNotExistIsNamed() throws IOException {
        try (PdfFile pdf = new PdfFile().page()) {
            byte[] file = pdf.bytes();
            assertThat(Extraction.of("a.pdf", file, "--pages", "7").last().toString())
                    .contains("no page 7");
            assertThat(Extraction.of("a.pdf", file, "--render", "7").last().toString())
                    .contains("no page 7");
        }
    }
}
