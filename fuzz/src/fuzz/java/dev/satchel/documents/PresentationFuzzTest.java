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

/** Presentations: each part has any content. */
class PresentationFuzzTest {
    private static final FuzzedZip PARTS =
            new FuzzedZip(
                    FuzzedZip.part(
                            "ppt/presentation.xml",
                            "<p:presentation xmlns:p=\"p\" xmlns:r=\"/relationships\"><p:sldId r:id=\"s\"/></p:presentation>"),
                    FuzzedZip.part(
                            "ppt/slides/slide1.xml",
                            "<p:sld xmlns:p=\"p\" xmlns:a=\"a\" xmlns:c=\"c\" xmlns:r=\"/relationships\" show=\"0\"><p:sp><p:ph type=\"title\"/><p:txBody><a:p><a:pPr lvl=\"1\"/><a:buAutoNum/><a:r><a:t>x</a:t></a:r></a:p></p:txBody></p:sp><p:pic><a:blip r:embed=\"p\"/></p:pic><p:graphicFrame><a:tr><a:tc><a:p/></a:tc></a:tr><c:chart r:id=\"c\"/></p:graphicFrame></p:sld>"),
                    FuzzedZip.part(
                            "ppt/notesSlides/notesSlide1.xml",
                            "<p:notes xmlns:p=\"p\" xmlns:a=\"a\"><p:sp><p:ph type=\"body\"/><p:txBody><a:p><a:r><a:t>n</a:t></a:r></a:p></p:txBody></p:sp></p:notes>"),
                    FuzzedZip.part(
                            "ppt/charts/chart1.xml",
                            "<c:chartSpace xmlns:c=\"c\" xmlns:a=\"a\"><c:title><a:t>x</a:t></c:title><c:ser><c:tx><c:v>n</c:v></c:tx><c:cat><c:pt idx=\"0\"><c:v>a</c:v></c:pt></c:cat><c:val><c:pt idx=\"1\"><c:v>2</c:v></c:pt></c:val></c:ser><cx:data xmlns:cx=\"x\"><cx:strDim><cx:lvl><cx:pt>b</cx:pt></cx:lvl></cx:strDim></cx:data></c:chartSpace>"),
                    FuzzedZip.part(
                            "ppt/_rels/presentation.xml.rels",
                            "<Relationships><Relationship Id=\"s\" Type=\"x/slide\" Target=\"slides/slide1.xml\"/></Relationships>"),
                    FuzzedZip.part(
                            "ppt/slides/_rels/slide1.xml.rels",
                            "<Relationships><Relationship Id=\"n\" Type=\"x/notesSlide\" Target=\"../notesSlides/notesSlide1.xml\"/><Relationship Id=\"c\" Type=\"x/chart\" Target=\"../charts/chart1.xml\"/><Relationship Id=\"d\" Type=\"x/diagramData\" Target=\"slide1.xml\"/></Relationships>"));

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return PARTS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyPresentationHasAClearEnd(
            @InRange(min = 0, max = 5) int part, byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.pptx", PARTS.with(part, content));
    }
}
