package dev.satchel.runner.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class KernelDirectoryTest extends SafeDirectoryContract {
    @Override
    SafeDirectory open(Path root) throws IOException {
        return KernelDirectory.tryOpen(root).orElseThrow();
    }

    @Test
    void linksThatStayInsideAreFollowed() throws IOException {
        Path root = Files.createDirectory(folder.resolve("inner"));
        Files.writeString(root.resolve("real.txt"), "x");
        Files.createSymbolicLink(root.resolve("link"), Path.of("real.txt"));
        try (SafeDirectory directory = open(root);
                OpenFile file = directory.open(new WorkspacePath("link"))) {
            assertThat(file.stat().size()).isEqualTo(1);
        }
    }

    @Test
    void aLinkSaysWhereItLeadsWithoutBeingFollowed() throws IOException {
        Path root = Files.createDirectory(folder.resolve("inner"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("/etc/passwd"));
        Files.writeString(root.resolve("file"), "x");
        try (SafeDirectory directory = open(root)) {
            assertThat(directory.readLink(new WorkspacePath("link"))).isEqualTo("/etc/passwd");
            assertThatThrownBy(() -> directory.readLink(new WorkspacePath("file")))
                    .isInstanceOf(IrregularFileException.class);
        }
    }

    @Test
    void hardLinksAreCounted() throws IOException {
        Path root = Files.createDirectory(folder.resolve("inner"));
        Files.writeString(root.resolve("one"), "x");
        Files.createLink(root.resolve("two"), root.resolve("one"));
        try (SafeDirectory directory = open(root)) {
            assertThat(directory.stat(new WorkspacePath("two")).links()).isEqualTo(2);
        }
    }

    @Test
    void noDescriptorIsLeftOpen() throws IOException {
        Path root = Files.createDirectory(folder.resolve("inner"));
        try (SafeDirectory directory = open(root)) {
            use(directory);
            long before = openDescriptors();
            for (int i = 0; i < 100; i++) {
                use(directory);
            }
            assertThat(openDescriptors()).isLessThan(before + 50);
        }
    }

    private static void use(SafeDirectory directory) throws IOException {
        WorkspacePath path = new WorkspacePath("a/b/c");
        directory.write(path, new byte[] {1});
        directory.open(path).close();
        directory.stat(path);
        directory.list(path.parent());
        directory.rename(path, new WorkspacePath("d/e"));
        directory.deleteTree(new WorkspacePath("d"));
    }

    private static long openDescriptors() throws IOException {
        try (var list = Files.list(Path.of("/proc/self/fd"))) {
            return list.count();
        }
    }
}
