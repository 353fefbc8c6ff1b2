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

/** Notebooks. */
class NotebookFuzzTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return FuzzedDocument.seeds(
                "\"cells\":[{\"cell_type\":\"code\",\"source\":[\"a\"],\"outputs\":[{\"data\":{\"text/html\":\"<b>\"}},{\"ename\":\"E\",\"traceback\":[\"t\"]}]}]}",
                "\"worksheets\":[{\"cells\":[{\"cell_type\":\"markdown\",\"source\":\"a\"}]}],\"nbformat\":3}");
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyNotebookHasAClearEnd(byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.ipynb", "{", content);
    }
}
