package dev.satchel.documents;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.InRange;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Workbooks: each part has any content. */
class WorkbookFuzzTest {
    private static final FuzzedZip PARTS =
            new FuzzedZip(
                    FuzzedZip.part(
                            "xl/workbook.xml",
                            "<workbook xmlns:r=\"/relationships\"><workbookPr date1904=\"1\"/><sheets><sheet name=\"a\" r:id=\"r\" state=\"hidden\"/></sheets></workbook>"),
                    FuzzedZip.part(
                            "xl/worksheets/sheet1.xml",
                            "<worksheet><dimension ref=\"A1:B2\"/><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\" s=\"1\"><f>1</f><v>0</v></c><c r=\"XFD1\" s=\"1\"><v>-45000.5</v></c><c t=\"inlineStr\"><is><t>x</t></is></c></row></sheetData><mergeCell ref=\"A1:B1\"/></worksheet>"),
                    FuzzedZip.part(
                            "xl/styles.xml",
                            "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\"#,##0.00;[Red](0);&quot;x&quot;;yyyy-mm-dd [h]:mm\"/></numFmts><cellXfs><xf numFmtId=\"1\"/><xf numFmtId=\"170\"/></cellXfs></styleSheet>"),
                    FuzzedZip.part(
                            "xl/sharedStrings.xml",
                            "<sst><si><r><t>a</t></r><rPh><t>b</t></rPh></si></sst>"),
                    FuzzedZip.part(
                            "xl/comments1.xml",
                            "<comments><authors><author>a</author></authors><comment ref=\"A1\" authorId=\"0\"><text><t>c</t></text></comment></comments>"),
                    FuzzedZip.part(
                            "xl/drawings/drawing1.xml",
                            "<d xmlns:c=\"c\" xmlns:a=\"a\" xmlns:r=\"/relationships\"><twoCellAnchor><from><col>1</col><row>2</row></from><c:chart r:id=\"c\"/><a:blip r:embed=\"p\"/></twoCellAnchor></d>"),
                    FuzzedZip.part(
                            "xl/charts/chart1.xml",
                            "<c:chartSpace xmlns:c=\"c\" xmlns:a=\"a\"><c:title><a:t>x</a:t></c:title><c:ser><c:tx><c:v>n</c:v></c:tx><c:cat><c:pt idx=\"0\"><c:v>a</c:v></c:pt></c:cat><c:val><c:pt idx=\"1\"><c:v>2</c:v></c:pt></c:val></c:ser><cx:data xmlns:cx=\"x\"><cx:strDim><cx:lvl><cx:pt>b</cx:pt></cx:lvl></cx:strDim></cx:data></c:chartSpace>"),
                    FuzzedZip.part(
                            "xl/_rels/workbook.xml.rels",
                            "<Relationships><Relationship Id=\"r\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"s\" Type=\"x/styles\" Target=\"styles.xml\"/><Relationship Id=\"t\" Type=\"x/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>"),
                    FuzzedZip.part(
                            "xl/worksheets/_rels/sheet1.xml.rels",
                            "<Relationships><Relationship Id=\"d\" Type=\"x/drawing\" Target=\"../drawings/drawing1.xml\"/><Relationship Id=\"c\" Type=\"x/comments\" Target=\"../comments1.xml\"/></Relationships>"),
                    FuzzedZip.part(
                            "xl/drawings/_rels/drawing1.xml.rels",
                            "<Relationships><Relationship Id=\"c\" Type=\"x/chart\" Target=\"../charts/chart1.xml\"/><Relationship Id=\"p\" Type=\"x/image\" Target=\"../media/a.png\"/></Relationships>"));

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return PARTS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyWorkbookHasAClearEnd(@InRange(min = 0, max = 9) int part, byte @NotNull [] content)
            throws IOException {
        FuzzedDocument.check(folder, "a.xlsx", PARTS.with(part, content));
    }
}
