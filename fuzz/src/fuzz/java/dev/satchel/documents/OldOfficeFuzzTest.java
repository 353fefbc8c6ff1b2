package dev.satchel.documents;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Binary files of Office before 2007. */
class OldOfficeFuzzTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return FuzzedDocument.seeds(
                "\0".repeat(504), "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0");
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyFileHasAClearEnd(byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(
                folder, "a.doc", "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1", content);
    }
}
