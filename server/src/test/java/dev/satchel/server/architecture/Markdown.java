package dev.satchel.server.architecture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The documents of the project. */
final class Markdown {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Set<String> NOT_OURS =
            Set.of(".git", "target", "node_modules", "dist", "data");

    private Markdown() {}

    /** Every Markdown file of the tree, without what a build or an installation writes. */
    static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                ROOT,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        return NOT_OURS.contains(folder.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".md")) {
                            files.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return files;
    }

    /** The text without code blocks and code spans, in which brackets mean something else. */
    static String prose(Path file) throws IOException {
        return Files.readString(file)
                .replaceAll("(?ms)^ *```.*?^ *```", "")
                .replaceAll("`[^`\n]*`", "x");
    }

    /** The anchors that a browser of the repository makes of the headings. */
    static List<String> anchors(Path file) throws IOException {
        return Files.readString(file)
                .replaceAll("(?ms)^ *```.*?^ *```", "")
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }
}
