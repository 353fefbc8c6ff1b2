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

/** Slides of OpenDocument: each part has any content. */
class OpenSlidesFuzzTest {
    private static final FuzzedZip PARTS =
            new FuzzedZip(
                    FuzzedZip.part(
                            "content.xml",
                            "<o xmlns:draw=\"d\" xmlns:text=\"t\" xmlns:p=\"p\" xmlns:xlink=\"x\"><draw:page draw:name=\"1\"><draw:frame p:class=\"title\"><draw:text-box><text:p>t</text:p></draw:text-box></draw:frame><draw:frame><draw:image xlink:href=\"a.png\"/></draw:frame><p:notes><draw:text-box><text:p>n</text:p></draw:text-box></p:notes></draw:page></o>"),
                    FuzzedZip.part(
                            "Object 1/content.xml",
                            "<o xmlns:chart=\"c\" xmlns:text=\"t\" xmlns:table=\"b\"><chart:chart/><text:p>x</text:p><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></o>"),
                    FuzzedZip.part("meta.xml", "<m/>"));

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return PARTS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void everySlideHasAClearEnd(@InRange(min = 0, max = 2) int part, byte @NotNull [] content)
            throws IOException {
        FuzzedDocument.check(folder, "a.odp", PARTS.with(part, content));
    }
}
