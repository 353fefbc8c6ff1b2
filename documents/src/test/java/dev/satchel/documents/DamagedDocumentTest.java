package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentLine.End;
import dev.satchel.documents.DocumentLine.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DamagedDocumentTest {
    private static final List<Failure.Code> EXPECTED =
            List.of(
                    Failure.Code.BROKEN,
                    Failure.Code.UNSUPPORTED,
                    Failure.Code.ENCRYPTED,
                    Failure.Code.BOMB);

    static Stream<Map.Entry<String, byte[]>> documents() throws IOException {
        try (PdfFile pdf = new PdfFile().page().text(50, 700, "one").page().picture("two")) {
            return Stream.of(
                    Map.entry("a.pdf", pdf.bytes()),
                    Map.entry("a.docx", WordTest.docx(WordTest.p("text")).bytes()),
                    Map.entry(
                            "a.xlsx",
                            WorkbookTest.xlsx("", "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>")
                                    .bytes()),
                    Map.entry(
                            "a.ods",
                            OpenDocumentTest.file("spreadsheet", "", "<office:spreadsheet/>")
                                    .bytes()),
                    Map.entry("a.rtf", utf8("{\\rtf1\\ansi one {\\b two}\\par three\\'e9}")),
                    Map.entry(
                            "a.eml",
                            utf8(
                                    "Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b--\r\n")),
                    Map.entry(
                            "a.ipynb",
                            utf8(
                                    "{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"a\"],\"outputs\":[{\"text\":\"b\"}]}]}")),
                    Map.entry(
                            "a.html",
                            utf8("<html><body><table><tr><td>x</td></tr></table></body></html>")),
                    Map.entry("a.zip", new Zip().file("a", "b").bytes()));
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aFileThatIsCutOffEndsWithAClearLine(Map.Entry<String, byte[]> document)
            throws IOException {
        byte[] whole = document.getValue();
        for (int tenth = 0; tenth < 10; tenth++) {
            byte[] part = Arrays.copyOf(whole, whole.length * tenth / 10);

            assertThat(Extraction.of(document.getKey(), part).last())
                    .satisfies(DamagedDocumentTest::isClear);
        }
        assertThat(Extraction.of(document.getKey(), whole).last()).isEqualTo(new End());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aFileWithWrongBytesEndsWithAClearLine(Map.Entry<String, byte[]> document)
            throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 10; i++) {
            byte[] wrong = document.getValue().clone();
            for (int j = 0; j < 5; j++) {
                wrong[random.nextInt(wrong.length)] = (byte) random.nextInt();
            }

            assertThat(Extraction.of(document.getKey(), wrong).last())
                    .satisfies(DamagedDocumentTest::isClear);
        }
    }

    @Test
    void whatWasReadBeforeTheDamageStaysWithinTheLimit() throws IOException {
        byte[] file = utf8("{\\rtf1 " + "0123456789 ".repeat(100) + "\\par more");

        Extraction found = Extraction.of("a.rtf", file, "--max-text", "2000");
        Extraction cut = Extraction.of("a.rtf", file, "--max-text", "30");

        assertThat(found.failure()).isEqualTo(Failure.Code.BROKEN);
        assertThat(found.text()).startsWith("0123456789").endsWith("more");
        assertThat(cut.text()).hasSize(30);
    }

    private static void isClear(DocumentLine last) {
        if (last instanceof Failure failure) {
            assertThat(failure.code()).isIn(EXPECTED);
            assertThat(failure.message()).isNotBlank().doesNotContain("null").contains(" ");
        } else {
            assertThat(last).isEqualTo(new End());
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
