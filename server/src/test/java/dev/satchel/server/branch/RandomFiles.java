package dev.satchel.server.branch;

import dev.satchel.server.snapshot.Tree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Changes a folder as the commands of an agent do. */
final class RandomFiles {
    private static final List<String> NAMES =
            List.of("a", "b", "c", "deep/a", "deep/b", "deep/er/a", "other/a");

    private static final List<String> MODES = List.of("rw-r--r--", "rw-------", "rwxr-xr-x");

    /** Many versions of a file have the same time, as some build tools leave them. */
    private static final FileTime SAME_TIME = FileTime.from(Instant.parse("2024-02-29T12:00:00Z"));

    private final Random random;
    private int version = 1000;

    RandomFiles(Random random) {
        this.random = random;
    }

    /** What the folder has, with modes, times and links; nothing if it is missing. */
    static Map<String, String> of(Path folder) throws IOException {
        return Files.isDirectory(folder) ? Tree.of(folder) : Map.of();
    }

    /** The names and contents of the files in a tree. */
    static Map<String, String> contents(Map<String, String> tree) {
        Map<String, String> contents = new TreeMap<>();
        tree.forEach(
                (path, entry) -> {
                    if (entry.startsWith("file ")) {
                        contents.put(path, entry.split(" ", -1)[1]);
                    }
                });
        return contents;
    }

    /** A content that no other file has, of the same length as the others. */
    String content() {
        return "v" + ++version;
    }

    void change(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            Path path = folder.resolve(name);
            switch (random.nextInt(7)) {
                case 0 -> delete(name.contains("/") ? folder.resolve("deep") : path);
                case 1 -> link(path);
                case 2 -> mode(path);
                case 3 -> delete(path);
                default -> write(path);
            }
        }
    }

    private void write(Path path) throws IOException {
        delete(path);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content());
        if (random.nextInt(3) == 0) {
            Files.setLastModifiedTime(path, SAME_TIME);
        }
    }

    private void link(Path path) throws IOException {
        delete(path);
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, Path.of("nowhere-" + random.nextInt(3)));
    }

    private void mode(Path path) throws IOException {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            String mode = MODES.get(random.nextInt(MODES.size()));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> all = Files.walk(path)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
