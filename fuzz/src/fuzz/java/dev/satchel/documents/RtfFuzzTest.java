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

/** RTF. */
class RtfFuzzTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return FuzzedDocument.seeds(
                "\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset128 x;}}\\f0\\\'93\\\'fa\\u8364?{\\footnote n}\\cell\\row\\bin3 abc\\par}",
                "\\uc2\\u-10179 ab{\\*\\unknown x}{\\field{\\*\\fldinst HYPERLINK \"a\"}{\\fldrslt b}}}");
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyTextHasAClearEnd(byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.rtf", "{\\rtf1", content);
    }
}
