package dev.satchel.runner.bag;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.TemporaryNames;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a bag holds: it lies in the workspace, or is refused and has changed nothing there. */
class BagZipFuzzTest {
    private static final UnpackLimits LIMITS =
            new UnpackLimits(20, 100_000, 1_100, 1_000, Map.of());

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() throws IOException {
        byte[] content = "hello".getBytes(UTF_8);
        List<Arguments> seeds = new ArrayList<>();
        for (List<String> names :
                List.of(
                        List.of("a.txt", "dir/b.txt"),
                        List.of("../out.txt"),
                        List.of("link/c.txt", "kept.txt"),
                        List.of("assets", "staged/", "kept.txt/x"),
                        List.of("a", "a/b"),
                        List.of("a/", "a"))) {
            seeds.add(Arguments.of(zip(names, content), names));
        }
        return seeds.stream();
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyBagLiesInsideOrIsRefused(byte @NotNull [] bytes, @NotNull List<@NotNull String> names)
            throws IOException {
        unpack(bytes);
        unpack(zip(names, bytes));
    }

    private static void unpack(byte[] bag) throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Path workspace = Files.createTempDirectory(folder, "workspace");
        Files.writeString(workspace.resolve("kept.txt"), "kept");
        Files.createSymbolicLink(workspace.resolve("link"), outside);
        Map<String, String> before = tree(workspace);
        try (SafeDirectory open = SafeDirectory.open(workspace)) {
            BagUnpacker.Unpacked unpacked =
                    new BagUnpacker(LIMITS).unpack(new ByteArrayInputStream(bag), open);
            for (WorkspacePath file : unpacked.files()) {
                assertThat(open.stat(file).isFile()).as(file.value()).isTrue();
            }
        } catch (BagRefusedException | UnsafePathException e) {
            assertThat(tree(workspace)).isEqualTo(before);
        }
        assertThat(tree(workspace).keySet())
                .noneMatch(name -> name.startsWith(TemporaryNames.PREFIX));
        assertThat(tree(outside)).isEmpty();
        delete(workspace);
    }

    /** Names that a zip cannot hold, or not twice, are left out. */
    private static byte[] zip(List<String> names, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : names) {
                try {
                    zip.putNextEntry(new ZipEntry(name));
                    zip.write(content);
                    zip.closeEntry();
                } catch (ZipException | IllegalArgumentException e) {
                    // left out
                }
            }
        }
        return bytes.toByteArray();
    }

    private static Map<String, String> tree(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(path -> !path.equals(root)).toList()) {
                String content =
                        Files.isRegularFile(file)
                                ? Files.readString(
                                        file, java.nio.charset.StandardCharsets.ISO_8859_1)
                                : "";
                tree.put(root.relativize(file).toString(), content);
            }
        }
        return tree;
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
