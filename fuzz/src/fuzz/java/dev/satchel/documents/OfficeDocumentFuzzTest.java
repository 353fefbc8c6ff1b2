package dev.satchel.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.InRange;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Zip files of XML: the parts of each format have any content. */
class OfficeDocumentFuzzTest {
    private static final List<List<String>> FORMATS =
            List.of(
                    List.of("a.docx", "word/document.xml", "word/styles.xml", "word/numbering.xml"),
                    List.of(
                            "a.xlsx",
                            "xl/workbook.xml",
                            "xl/worksheets/sheet1.xml",
                            "xl/styles.xml",
                            "xl/sharedStrings.xml"),
                    List.of("a.pptx", "ppt/presentation.xml", "ppt/slides/slide1.xml"),
                    List.of("a.odt", "content.xml", "styles.xml"),
                    List.of("a.ods", "content.xml", "meta.xml"),
                    List.of("a.odp", "content.xml"),
                    List.of("a.epub", "book.opf", "toc.ncx", "one.xhtml"));

    private static final String SHEETS =
            "<workbook xmlns:r=\"/relationships\"><sheets><sheet name=\"a\" r:id=\"r\"/></sheets></workbook>";

    private static final String RELATIONSHIPS =
            "<Relationships><Relationship Id=\"r\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
                    + "<Relationship Id=\"s\" Type=\"x/styles\" Target=\"styles.xml\"/>"
                    + "<Relationship Id=\"n\" Type=\"x/numbering\" Target=\"numbering.xml\"/>"
                    + "<Relationship Id=\"t\" Type=\"x/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return Stream.of(
                seed(
                        0,
                        "<w:document xmlns:w=\"w\"><w:body><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl></w:body></w:document>"),
                seed(
                        1,
                        "<worksheet><dimension ref=\"A1:B2\"/><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\" s=\"1\"><f>1</f><v>0.5</v></c></row></sheetData></worksheet>"),
                seed(
                        1,
                        "<styleSheet><numFmts><numFmt numFmtId=\"1\" formatCode=\"#,##0.00;[Red](0);&quot;x&quot;\"/></numFmts><cellXfs><xf numFmtId=\"1\"/></cellXfs></styleSheet>"),
                seed(
                        2,
                        "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><p:sp><p:ph type=\"title\"/><p:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></p:txBody></p:sp></p:sld>"),
                seed(
                        3,
                        "<o xmlns:text=\"t\"><text:h text:outline-level=\"1\">a</text:h><text:list><text:list-item><text:p>b<text:s text:c=\"9\"/></text:p></text:list-item></text:list></o>"),
                seed(
                        4,
                        "<o xmlns:table=\"t\"><table:table table:name=\"x\"><table:table-row table:number-rows-repeated=\"99\"><table:table-cell table:number-columns-repeated=\"99\"><p>1</p></table:table-cell></table:table-row></table:table></o>"),
                seed(
                        6,
                        "<package><manifest><item id=\"a\" href=\"one.xhtml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>"));
    }

    private static Arguments seed(int format, String xml) {
        return Arguments.of(format, 1, xml.getBytes(UTF_8));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyDocumentHasAClearEnd(
            @InRange(min = 0, max = 6) int format,
            @InRange(min = 1, max = 4) int part,
            byte @NotNull [] xml)
            throws IOException {
        List<String> names = FORMATS.get(format);
        FuzzedDocument.check(
                folder, names.getFirst(), zip(names, Math.min(part, names.size() - 1), xml));
    }

    private static byte[] zip(List<String> names, int fuzzed, byte[] xml) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int i = 1; i < names.size(); i++) {
                byte[] other =
                        (names.get(i).endsWith("workbook.xml") ? SHEETS : "<x/>").getBytes(UTF_8);
                add(zip, names.get(i), i == fuzzed ? xml : other);
            }
            add(zip, "word/_rels/document.xml.rels", RELATIONSHIPS.getBytes(UTF_8));
            add(zip, "xl/_rels/workbook.xml.rels", RELATIONSHIPS.getBytes(UTF_8));
            add(
                    zip,
                    "META-INF/container.xml",
                    "<c><rootfile full-path=\"book.opf\"/></c>".getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }
}
