package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentLine.End;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.ExtractRequest.Limits;
import dev.satchel.documents.xml.UnpackingLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that want to take memory, time or other files; the program has 96 MB. */
class HostileDocumentTest {
    @TempDir private Path folder;

    private Extraction run(String filename, byte[] content, String... options)
            throws IOException, InterruptedException {
        return ExtractProcess.run(folder, filename, content, options);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] docx(String declarations, String body) throws IOException {
        return WordTest.docx("")
                .file(
                        "word/document.xml",
                        declarations
                                + "<w:document xmlns:w=\"urn:w\"><w:body>"
                                + body
                                + "</w:body></w:document>")
                .bytes();
    }

    @Test
    void aZipBombIsRefused() throws IOException, InterruptedException {
        byte[] spaces = new byte[48 * 1024 * 1024];
        Arrays.fill(spaces, (byte) ' ');

        Extraction found =
                run("a.docx", WordTest.docx("").file("word/document.xml", spaces).bytes());

        assertThat(found.failure()).isEqualTo(Failure.Code.BOMB);
    }

    @Test
    void aLimitThatIsMetIsNamed() throws IOException {
        byte[] workbook =
                WorkbookTest.xlsx("<x>" + "<sheet name=\"s\"/>".repeat(10_000) + "</x>", "")
                        .bytes();
        assertThat(Extraction.of("a.xlsx", workbook).last())
                .isEqualTo(
                        new Failure(
                                Failure.Code.TOO_LARGE,
                                "The workbook has more than 10000 sheets, which is the limit."));

        String mail = "From: a@example.org\nSubject: x\n\n" + "a line\n".repeat(5_000_000);
        assertThat(Extraction.of("a.eml", utf8(mail)).last())
                .isEqualTo(
                        new Failure(
                                Failure.Code.TOO_LARGE,
                                "The message has a text of more than 33554432 bytes, which is the"
                                        + " limit."));
    }

    /** A file, an option that it exceeds, and the message. */
    private static List<Arguments> limits() throws IOException {
        byte[] archive = new Zip().file("1", "x").file("2", "x").file("3", "x").bytes();
        String rows = "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"B1\"><v>2</v></c></row>";
        return List.of(
                Arguments.of(
                        "a.ipynb",
                        utf8(
                                "{\"cells\":["
                                        + "{\"source\":\"x\"},".repeat(2)
                                        + "{\"source\":\"x\"}]}"),
                        "--max-parts",
                        "2",
                        "Only the first 2 parts are shown; the rest is missing."),
                Arguments.of(
                        "a.xlsx",
                        WorkbookTest.xlsx("", rows).bytes(),
                        "--max-cells",
                        "1",
                        "Only the first 1 cells are shown; the rest is missing."),
                Arguments.of(
                        "a.zip",
                        archive,
                        "--max-entries",
                        "2",
                        "Only the first 2 entries are shown; the rest is missing."),
                Arguments.of(
                        "a.docx",
                        docx("", WordTest.p("x")),
                        "--max-entries",
                        "1",
                        "The file has 3 entries, the limit is 1."),
                Arguments.of(
                        "a.tar.gz",
                        gzip(tarOfZeros(2 << 20)),
                        "--max-unpacked",
                        "1048576",
                        "The file unpacks to more than 1 MB."),
                Arguments.of(
                        "a.tar.gz",
                        gzip(tarOfZeros(40 << 20)), // 32 MiB are always allowed
                        "--max-times",
                        "250",
                        "The file unpacks to more than 250 times its size."),
                Arguments.of(
                        "a.html",
                        utf8("<p>0123456789</p>"),
                        "--max-text",
                        "4",
                        "Only the first 4 bytes of the text are shown"));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void everyOptionStopsWhatExceedsIt(
            String filename, byte[] content, String option, String value, String message)
            throws IOException {
        assertThat(message(Extraction.of(filename, content, option, value))).contains(message);
        assertThat(message(Extraction.of(filename, content, option, "3000000000")))
                .doesNotContain(message);
    }

    /** Why the rest is missing; empty when all is there. */
    private static String message(Extraction found) {
        for (DocumentLine line : found.lines()) {
            if (line instanceof DocumentLine.Cut(String message)) {
                return message;
            }
            if (line instanceof Failure failure) {
                return failure.message();
            }
        }
        return "";
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(content);
        }
        return compressed.toByteArray();
    }

    private static byte[] tarOfZeros(int size) {
        byte[] tar = new byte[size];
        byte[] header = ArchiveTest.header("zeros", tar.length - 2048, '0');
        System.arraycopy(header, 0, tar, 0, header.length);
        return tar;
    }

    /** The macro is only bytes of the zip: nothing of it is read or run. */
    @Test
    void aDocumentWithMacrosHasItsTextOnly() throws IOException {
        String macro = "Sub AutoOpen()\r\nShell \"calc.exe\"\r\nEnd Sub";
        byte[] letter =
                WordTest.docx(WordTest.p("a letter"))
                        .file("word/vbaProject.bin", utf8(macro))
                        .file("word/vbaData.xml", "<wne:vbaSuppData>AutoOpen</wne:vbaSuppData>")
                        .bytes();
        byte[] workbook =
                WorkbookTest.xlsx("", "<row r=\"1\"><c r=\"A1\"><v>42</v></c></row>")
                        .file("xl/vbaProject.bin", utf8(macro))
                        .bytes();

        Extraction ofLetter = Extraction.of("a.docm", letter);
        Extraction ofWorkbook = Extraction.of("a.xlsm", workbook);

        assertThat(ofLetter.header().format()).isEqualTo(DocumentFormat.DOCX);
        assertThat(ofLetter.text()).isEqualTo("a letter");
        assertThat(ofWorkbook.header().format()).isEqualTo(DocumentFormat.XLSX);
        assertThat(ofWorkbook.text()).contains("42").doesNotContain("Auto").doesNotContain("calc");
        assertThat(ofLetter.last()).isEqualTo(new End());
        assertThat(ofWorkbook.last()).isEqualTo(new End());
    }

    @Test
    void anArchiveInAnArchiveIsNotOpened() throws IOException {
        byte[] inner = new Zip().file("x", new byte[100_000]).bytes();
        byte[] outer = new Zip().file("1.zip", inner).file("2.zip", inner).bytes();

        assertThat(Extraction.of("a.zip", outer).text())
                .contains("1.zip", "2.zip")
                .doesNotContain("\tx");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE d [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>",
                "<!DOCTYPE d [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>",
                "<!DOCTYPE d [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]>",
                "<!DOCTYPE d [<!ENTITY b \"0123456789012345678901234567890123456789\">]>"
            })
    void entitiesAreRefused(String declarations) throws IOException {
        Extraction found =
                Extraction.of("a.docx", docx(declarations, WordTest.p("&b;".repeat(1000))));

        assertThat(found.failure()).isEqualTo(Failure.Code.BOMB);
        assertThat(found.text()).doesNotContain("root:").doesNotContain("lol");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE d SYSTEM \"file:///etc/passwd\">",
                "<!DOCTYPE d PUBLIC \"x\" \"http://127.0.0.1:1/x.dtd\">",
                ""
            })
    void nothingElseIsRead(String declarations) throws IOException {
        String include =
                "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\""
                        + " href=\"file:///etc/passwd\" parse=\"text\"/>";

        Extraction found =
                Extraction.of("a.docx", docx(declarations, WordTest.p("only this" + include)));

        assertThat(found.text()).isEqualTo("only this");
    }

    @ParameterizedTest
    @CsvSource({"a.docx, BOMB", "a.rtf, BOMB", "a.eml, BOMB", "a.ipynb, BROKEN"})
    void deepNestingIsRefused(String filename, Failure.Code code)
            throws IOException, InterruptedException {
        assertThat(run(filename, nested(filename)).failure()).isEqualTo(code);
    }

    private static byte[] nested(String filename) throws IOException {
        return switch (filename) {
            case "a.docx" -> docx("", "<w:sdt>".repeat(100_000));
            case "a.rtf" -> utf8("{\\rtf1" + "{".repeat(100_000));
            case "a.ipynb" -> utf8("{\"cells\":[{\"source\":" + "[".repeat(100_000));
            default -> {
                StringBuilder mail = new StringBuilder("Subject: x\r\n");
                for (int i = 0; i < 500; i++) {
                    mail.append(
                            "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n"
                                    .formatted(i, i));
                }
                yield utf8(mail.toString());
            }
        };
    }

    @Test
    void deepHtmlIsReadAsFarAsItGoes() throws IOException, InterruptedException {
        Extraction found = run("a.html", utf8("<p>top</p>" + "<div>".repeat(20_000) + "x"));

        assertThat(found.text()).startsWith("top");
        assertThat(found.last()).isEqualTo(new End());
    }

    @Test
    void endlessCellsAreCut() throws IOException, InterruptedException {
        String row =
                "<table:table-row table:number-rows-repeated=\"900000000\"><table:table-cell"
                        + " table:number-columns-repeated=\"900000000\"><text:p>z</text:p></table:table-cell></table:table-row>";
        byte[] file =
                OpenDocumentTest.file(
                                "spreadsheet",
                                "",
                                "<office:spreadsheet><table:table>"
                                        + row.repeat(1000)
                                        + "</table:table></office:spreadsheet>")
                        .bytes();

        Extraction found = run("a.ods", file, "--max-text", "1000000");

        assertThat(found.lines()).hasAtLeastOneElementOfType(DocumentLine.Cut.class);
    }

    @Test
    void oneEndlessParagraphIsTooLarge() throws IOException, InterruptedException {
        StringBuilder piece = new StringBuilder();
        for (int i = 0; piece.length() < 500_000; i++) {
            piece.append(i * 2654435761L).append(' ');
        }

        assertThat(run("a.docx", docx("", WordTest.p(piece.toString().repeat(36)))).failure())
                .isEqualTo(Failure.Code.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // a page tree that contains itself
                "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj 2 0 obj <</Type/Pages/Kids[2 0 R 2 0"
                        + " R]/Count 900000000>> endobj",
                // a page whose content names itself
                "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj 2 0 obj <</Type/Pages/Kids[3 0"
                        + " R]/Count 1>> endobj 3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9"
                        + " 9]/Contents[3 0 R 3 0 R]>> endobj",
                // an object stream that is in itself
                "1 0 obj <</Type/ObjStm/N 2/First 8/Extends 1 0 R/Length 30>> stream\n"
                        + "1 0 2 9 <</Type/Catalog/Pages 1 0 R>>\n"
                        + "endstream endobj",
                // a length that names itself
                "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj 2 0 obj <</Length 2 0 R>> stream\n"
                        + "x\n"
                        + "endstream endobj"
            })
    void loopsInAPdfEnd(String objects) throws IOException {
        byte[] file =
                utf8(
                        "%PDF-1.5\n"
                                + objects.replace(" obj ", " obj\n")
                                        .replace(" endobj", "\nendobj\n")
                                + "trailer <</Root 1 0 R/Size 9>>\n%%EOF\n");

        Extraction found = Extraction.of("a.pdf", file, "--max-seconds", "60");

        assertThat(found.last()).isInstanceOfAny(Failure.class, End.class);
        assertThat(found.parts()).hasSizeLessThan(10);
    }

    @Test
    void aFileThatTakesTooLongIsEnded() throws IOException {
        ExtractRequest all = ExtractRequest.all();
        ExtractRequest inNoTime =
                new ExtractRequest(
                        all.pages(),
                        null,
                        null,
                        null,
                        null,
                        new Limits(
                                1_000_000,
                                1000,
                                1000,
                                1,
                                UnpackingLimits.DEFAULT,
                                Duration.ofNanos(1)));
        Path file = Files.write(folder.resolve("a.docx"), docx("", WordTest.p("x")));
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        DocumentExtractor.extract(file, "a.docx", inNoTime, out);

        assertThat(Extraction.parse(out.toByteArray()).failure()).isEqualTo(Failure.Code.TIMEOUT);
    }
}
