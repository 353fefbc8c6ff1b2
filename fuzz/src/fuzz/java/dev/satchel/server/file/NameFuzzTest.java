package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.objectstore.ObjectKey;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a file is called: its cleaned name is one that every store and disk takes. */
class NameFuzzTest {
    @ValueSource(
            strings = {
                "report.pdf",
                "../../etc/passwd",
                "C:\\Temp\\a.txt",
                "u\u0308ber.txt",
                ".",
                "..",
                "...",
                ".bashrc",
                "a.",
                "\u202egpj.exe",
                "e\u0301.\u0301",
                "\ud83d\ude00.png",
                " ",
                "a\n"
            })
    @FuzzTest
    void everyCleanNameFitsEverywhere(@NotNull String given) {
        String name;
        try {
            name = FileNames.clean(given);
        } catch (SatchelException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            return;
        }
        requireFit(name);
        assertThat(FileNames.clean(name)).isEqualTo(name);
        String second = FileNames.numbered(name, 1);
        requireFit(second);
        assertThat(FileNames.key(FileNames.numbered(name, 2)))
                .isNotEqualTo(FileNames.key(second)); // so that counting finds a free one
        assertThat(FileNames.clean(second)).isEqualTo(second);
    }

    private static void requireFit(String name) {
        assertThat(name.getBytes(UTF_8)).hasSizeBetween(1, FileNames.MAX_BYTES);
        assertThat(new WorkspacePath(name).names()).containsExactly(name);
        assertThat(ObjectKey.of("bag", name).segments()).containsExactly("bag", name);
        assertThat(name).endsWith(FileNames.extension(name)).doesNotContain("\\");
    }
}
