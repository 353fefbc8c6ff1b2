package dev.satchel.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Zip archives that are no document. */
class ZipFuzzTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() throws IOException {
        byte[] zip = new FuzzedZip(FuzzedZip.part("a.txt", "x"), FuzzedZip.part("b/", "")).whole();
        return FuzzedDocument.seeds(
                new String(zip, 2, zip.length - 2, ISO_8859_1), "\5\6" + "\0".repeat(18));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyListingHasAClearEnd(byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.zip", "PK", content);
    }
}
