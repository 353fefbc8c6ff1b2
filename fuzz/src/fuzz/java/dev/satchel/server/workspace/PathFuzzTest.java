package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.SatchelException;
import dev.satchel.server.workspace.files.RequestedPath;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever path a client asks for: it stays beneath the workspace, in our eyes and the kernel's.
 */
class PathFuzzTest {
    private static final String INSIDE = "inside";

    @TempDir static Path folder;

    @ValueSource(
            strings = {
                "a/b.txt",
                "./a//b.txt",
                "../secret",
                "a/../../secret",
                "/etc/passwd",
                "out/secret",
                "loop/loop",
                "a\\..\\secret",
                "%2e%2e/secret",
                "a/b.txt/",
                "..a",
                "a/\u0000",
                "\ud800"
            })
    @FuzzTest
    void noPathLeadsOut(@NotNull String asked) throws IOException {
        WorkspacePath path;
        try {
            path = RequestedPath.parse(asked).path();
        } catch (SatchelException e) {
            assertThat(e.code().status()).isIn(400, 404);
            return;
        }
        assertThat(path.names()).doesNotContain("..", "").noneMatch(name -> name.contains("/"));
        assertThat(WorkspacePath.parse(path.value())).isEqualTo(path);
        try (SafeDirectory workspace = SafeDirectory.open(workspace());
                OpenFile file = workspace.open(path)) {
            byte[] first = new byte[INSIDE.length()];
            file.channel().read(java.nio.ByteBuffer.wrap(first));
            assertThat(first).isEqualTo(INSIDE.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        } catch (FileSystemException e) {
            // not there, no file, or a link that would lead astray
        }
    }

    /** One file inside, one secret beside, and links that try to reach it. */
    private static Path workspace() throws IOException {
        Path workspace = folder.resolve("workspace");
        if (!Files.exists(workspace)) {
            Files.createDirectories(workspace.resolve("a"));
            Files.writeString(workspace.resolve("a/b.txt"), INSIDE);
            Files.writeString(folder.resolve("secret"), "secret");
            Files.createSymbolicLink(workspace.resolve("out"), folder);
            Files.createSymbolicLink(workspace.resolve("loop"), workspace.resolve("loop"));
        }
        return workspace;
    }
}
