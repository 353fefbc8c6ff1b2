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

/** Sheets of OpenDocument: each part has any content. */
class OpenSheetFuzzTest {
    private static final FuzzedZip PARTS =
            new FuzzedZip(
                    FuzzedZip.part(
                            "content.xml",
                            "<o xmlns:table=\"t\" xmlns:draw=\"d\" xmlns:xlink=\"x\"><table:table table:name=\"x\"><table:shapes><draw:frame><draw:object xlink:href=\"./Object 1\"/></draw:frame></table:shapes><table:table-row table:number-rows-repeated=\"99\"><table:table-cell table:number-columns-repeated=\"99\" formula=\"of:=1\"><p>1</p><annotation><p>c</p></annotation></table:table-cell></table:table-row></table:table></o>"),
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
    void everySheetHasAClearEnd(@InRange(min = 0, max = 2) int part, byte @NotNull [] content)
            throws IOException {
        FuzzedDocument.check(folder, "a.ods", PARTS.with(part, content));
    }
}
