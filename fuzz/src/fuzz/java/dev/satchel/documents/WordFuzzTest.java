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

/** Word documents: each part has any content. */
class WordFuzzTest {
    private static final FuzzedZip PARTS =
            new FuzzedZip(
                    FuzzedZip.part(
                            "word/document.xml",
                            "<w:document xmlns:w=\"w\" xmlns:r=\"/relationships\" xmlns:a=\"a\" xmlns:c=\"c\"><w:body><w:p><w:pPr><w:pStyle w:val=\"h\"/><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>a</w:t><w:footnoteReference w:id=\"1\"/><w:commentReference w:id=\"1\"/><w:drawing><a:blip r:embed=\"p\"/><c:chart r:id=\"c\"/></w:drawing></w:r></w:p><w:tbl><w:tr><w:tc><w:gridSpan w:val=\"2\"/><w:p/></w:tc></w:tr></w:tbl></w:body></w:document>"),
                    FuzzedZip.part(
                            "word/styles.xml",
                            "<w:styles xmlns:w=\"w\"><w:style w:styleId=\"h\"><w:name w:val=\"heading 1\"/><w:basedOn w:val=\"h\"/></w:style></w:styles>"),
                    FuzzedZip.part(
                            "word/numbering.xml",
                            "<w:numbering xmlns:w=\"w\"><w:abstractNum w:abstractNumId=\"1\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"3\"/><w:numFmt w:val=\"upperRoman\"/><w:lvlText w:val=\"%1.\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"1\"/></w:num></w:numbering>"),
                    FuzzedZip.part(
                            "word/footnotes.xml",
                            "<w:footnotes xmlns:w=\"w\"><w:footnote w:id=\"1\"><w:p><w:r><w:t>n</w:t></w:r></w:p></w:footnote></w:footnotes>"),
                    FuzzedZip.part(
                            "word/comments.xml",
                            "<w:comments xmlns:w=\"w\"><w:comment w:id=\"1\" w:author=\"a\"><w:p><w:r><w:t>c</w:t></w:r></w:p></w:comment></w:comments>"),
                    FuzzedZip.part(
                            "word/charts/chart1.xml",
                            "<c:chartSpace xmlns:c=\"c\" xmlns:a=\"a\"><c:title><a:t>x</a:t></c:title><c:ser><c:tx><c:v>n</c:v></c:tx><c:cat><c:pt idx=\"0\"><c:v>a</c:v></c:pt></c:cat><c:val><c:pt idx=\"1\"><c:v>2</c:v></c:pt></c:val></c:ser><cx:data xmlns:cx=\"x\"><cx:strDim><cx:lvl><cx:pt>b</cx:pt></cx:lvl></cx:strDim></cx:data></c:chartSpace>"),
                    FuzzedZip.part(
                            "word/_rels/document.xml.rels",
                            "<Relationships><Relationship Id=\"s\" Type=\"x/styles\" Target=\"styles.xml\"/><Relationship Id=\"n\" Type=\"x/numbering\" Target=\"numbering.xml\"/><Relationship Id=\"f\" Type=\"x/footnotes\" Target=\"footnotes.xml\"/><Relationship Id=\"m\" Type=\"x/comments\" Target=\"comments.xml\"/><Relationship Id=\"p\" Type=\"x/image\" Target=\"media/a.png\"/><Relationship Id=\"c\" Type=\"x/chart\" Target=\"charts/chart1.xml\"/><Relationship Id=\"h\" Type=\"x/header\" Target=\"document.xml\"/></Relationships>"));

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return PARTS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyWordDocumentHasAClearEnd(
            @InRange(min = 0, max = 6) int part, byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.docx", PARTS.with(part, content));
    }
}
