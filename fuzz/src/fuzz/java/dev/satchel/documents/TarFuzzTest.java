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

/** Tar archives. */
class TarFuzzTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return FuzzedDocument.seeds(
                "a".repeat(100) + "0000644\0".repeat(3) + "00000000010\0" + "14000000000\0",
                "a".repeat(100)
                        + "0000644\0".repeat(3)
                        + "00000000010\0"
                        + "14000000000\0"
                        + "007777\0 x");
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyListingHasAClearEnd(byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.tar", "", content);
    }
}
