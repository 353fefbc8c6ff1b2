package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Changes the owner of files; never follows a link. */
public final class FileOwnership {
    private FileOwnership() {}

    public static int ownerOf(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    public static void changeTree(Path tree, int user) throws IOException {
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        change(file, user);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException failure) throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        change(directory, user);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    static void change(Path file, int user) throws IOException {
        if (ownerOf(file) != user) {
            Files.setAttribute(file, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(file, "unix:gid", user, LinkOption.NOFOLLOW_LINKS);
        }
    }
}
