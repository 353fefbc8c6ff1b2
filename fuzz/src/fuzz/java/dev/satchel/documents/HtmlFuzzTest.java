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

/** HTML. */
class HtmlFuzzTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return FuzzedDocument.seeds(
                "html><ul><li>a<ol><li>b</ol></ul><table><tr><td colspan=9>c<a href=x>d</a>",
                "!doctype html><meta charset=utf-16><pre>a\nb</pre><img alt=c><script>d</script>");
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyPageHasAClearEnd(byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.html", "<", content);
    }
}
