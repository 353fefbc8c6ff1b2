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

/** Texts of OpenDocument: each part has any content. */
class OpenTextFuzzTest {
    private static final FuzzedZip PARTS =
            new FuzzedZip(
                    FuzzedZip.part(
                            "content.xml",
                            "<o xmlns:text=\"t\" xmlns:draw=\"d\" xmlns:xlink=\"x\"><text:h text:outline-level=\"1\">a</text:h><text:list><text:list-item><text:p>b<text:s text:c=\"9\"/><text:note><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p></text:list-item></text:list><draw:frame><draw:object xlink:href=\"./Object 1\"/><draw:image xlink:href=\"Pictures/a.png\"/></draw:frame></o>"),
                    FuzzedZip.part(
                            "styles.xml",
                            "<o xmlns:style=\"s\" xmlns:text=\"t\"><style:header><text:p>h</text:p></style:header></o>"),
                    FuzzedZip.part(
                            "Object 1/content.xml",
                            "<o xmlns:chart=\"c\" xmlns:text=\"t\" xmlns:table=\"b\"><chart:chart/><text:p>x</text:p><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></o>"),
                    FuzzedZip.part("meta.xml", "<m><title>t</title></m>"),
                    FuzzedZip.part("META-INF/manifest.xml", "<m/>"));

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return PARTS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyTextHasAClearEnd(@InRange(min = 0, max = 4) int part, byte @NotNull [] content)
            throws IOException {
        FuzzedDocument.check(folder, "a.odt", PARTS.with(part, content));
    }
}
