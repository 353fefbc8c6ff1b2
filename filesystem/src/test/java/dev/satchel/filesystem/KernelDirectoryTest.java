package dev.satchel.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.filesystem.linux.NameBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class KernelDirectoryTest extends SafeDirectoryContract {
    @Override
    SafeDirectory open(Path root) throws IOException {
        return KernelDirectory.tryOpen(root, new SharedTreeReads()).orElseThrow();
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
    void theTargetOfALinkIsReadWithoutFollowingIt() throws IOException {
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
    void aNameThatIsNotUtf8CanBeListedReadAndDeleted() throws Exception {
        Path root = Files.createDirectory(folder.resolve("inner"));
        shell(
                root,
                "mkdir \"$(printf 'caf\\351')\" && echo x > \"$(printf"
                        + " 'caf\\351/\\377\\376.txt')\"");
        shell(root, "echo y > \"$(printf '\\356\\276\\200')\""); // U+EF80 itself, in UTF-8
        try (SafeDirectory directory = open(root)) {
            List<String> names = new ArrayList<>();
            WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
            for (var entry = walk.next(); entry != null; entry = walk.next()) {
                names.add(entry.path().value());
            }
            assertThat(names)
                    .containsExactly(
                            "caf\uEFE9", "caf\uEFE9/\uEFFF\uEFFE.txt", "\uEFEE\uEFBE\uEF80");
            try (OpenFile file = directory.open(new WorkspacePath(names.get(1)))) {
                assertThat(file.stat().size()).isEqualTo(2);
            }
            directory.rename(new WorkspacePath(names.get(2)), new WorkspacePath("plain"));
            directory.deleteTree(new WorkspacePath(names.get(0)));
        }
        assertThat(root).isDirectoryContaining(path -> path.endsWith("plain"));
        assertThat(root.toFile().list()).hasSize(1);
    }

    @Test
    void everyNameIsConvertedBackToItsBytes() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] name = new byte[1 + random.nextInt(8)];
            random.nextBytes(name);
            byte[] longer = Arrays.copyOf(name, name.length + 3);
            System.arraycopy("é\uEF80".getBytes(StandardCharsets.UTF_8), 0, longer, name.length, 3);
            assertThat(NameBytes.of(NameBytes.text(name, 0, name.length))).isEqualTo(name);
            assertThat(NameBytes.of(NameBytes.text(longer, 0, longer.length))).isEqualTo(longer);
        }
    }

    @Test
    void aLinkIsCreatedWithItsTime() throws IOException {
        Path root = Files.createDirectory(folder.resolve("inner"));
        Instant time = Instant.parse("2001-02-03T04:05:06.000000007Z");
        try (SafeDirectory directory = open(root)) {
            directory.link(new WorkspacePath("deep/link"), "/etc/passwd");
            directory.setAttributes(new WorkspacePath("deep/link"), 0777, time);

            assertThat(directory.readLink(new WorkspacePath("deep/link"))).isEqualTo("/etc/passwd");
            assertThat(directory.stat(new WorkspacePath("deep/link")).modified()).isEqualTo(time);
        }
    }

    private static void shell(Path folder, String script) throws Exception {
        Process shell =
                new ProcessBuilder("/bin/sh", "-c", script).directory(folder.toFile()).start();
        assertThat(shell.waitFor()).isZero();
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
