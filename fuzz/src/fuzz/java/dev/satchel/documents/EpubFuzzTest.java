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

/** Books: each part has any content. */
class EpubFuzzTest {
    private static final FuzzedZip PARTS =
            new FuzzedZip(
                    FuzzedZip.part(
                            "book.opf",
                            "<package><metadata><title>t</title></metadata><manifest><item id=\"a\" href=\"one.xhtml\"/><item id=\"n\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/><item id=\"v\" href=\"nav.xhtml\" properties=\"nav\"/></manifest><spine><itemref idref=\"a\"/></spine></package>"),
                    FuzzedZip.part(
                            "toc.ncx",
                            "<ncx><navPoint><navLabel><text>One</text></navLabel><content src=\"one.xhtml#a\"/></navPoint></ncx>"),
                    FuzzedZip.part(
                            "one.xhtml",
                            "<html><body><h1>One</h1><p>a<img src=\"a.png\" alt=\"b\"/></p><table><tr><td colspan=\"9\">c</td></tr></table></body></html>"),
                    FuzzedZip.part(
                            "nav.xhtml", "<html><nav><a href=\"one.xhtml\">One</a></nav></html>"),
                    FuzzedZip.part(
                            "META-INF/container.xml", "<c><rootfile full-path=\"book.opf\"/></c>"));

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return PARTS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyBookHasAClearEnd(@InRange(min = 0, max = 4) int part, byte @NotNull [] content)
            throws IOException {
        FuzzedDocument.check(folder, "a.epub", PARTS.with(part, content));
    }
}
