package dev.satchel.server.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A folder as one comparable value: every name with its kind, mode, time and content. */
public final class Tree {
    private Tree() {}

    public static Map<String, String> of(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.toList()) {
                if (!path.equals(root)) {
                    tree.put(root.relativize(path).toString(), describe(path));
                }
            }
        }
        return tree;
    }

    private static String describe(Path path) throws IOException {
        String time = " " + Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant();
        if (Files.isSymbolicLink(path)) {
            return "link " + Files.readSymbolicLink(path) + time;
        }
        String mode =
                " "
                        + Integer.toOctalString((int) Files.getAttribute(path, "unix:mode") & 07777)
                        + time;
        if (Files.isDirectory(path)) {
            return "directory" + mode;
        }
        return "file " + new String(Files.readAllBytes(path), UTF_8) + mode;
    }
}
