package dev.satchel.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StreamDirectoryTest extends SafeDirectoryContract {
    @Override
    SafeDirectory open(Path root) throws IOException {
        return StreamDirectory.open(root);
    }

    @Test
    void aNameThatIsNotUtf8IsLeftOut() throws Exception {
        Path root = Files.createDirectory(folder.resolve("inner"));
        Process shell =
                new ProcessBuilder("/bin/sh", "-c", "echo x > \"$(printf 'caf\\351')\"; echo > b")
                        .directory(root.toFile())
                        .start();
        assertThat(shell.waitFor()).isZero();
        try (SafeDirectory directory = open(root)) {
            assertThat(directory.list(WorkspacePath.ROOT))
                    .extracting(entry -> entry.path().value())
                    .containsExactly("b");
        }
    }
}
