package dev.satchel.runner.sandbox.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Adds up what a tree takes, while others write to it. */
public final class DiskUsage extends SimpleFileVisitor<Path> {
    /** An empty file takes an inode and a name: without this a million of them would be free. */
    private static final long LEAST_BYTES = 4096;

    private long bytes;
    private long entries;

    private DiskUsage() {}

    /**
     * Bytes by length, not by blocks, since that is what a snapshot reads. A directory that cannot
     * be read, say because its path is too long, counts as endless: nothing hides there.
     */
    public static Sum of(Path tree) throws IOException {
        DiskUsage usage = new DiskUsage();
        Files.walkFileTree(tree, usage);
        return new Sum(usage.bytes, usage.entries);
    }

    /** What a tree takes, and how many files and directories it has. */
    public record Sum(long bytes, long entries) {
        Sum plus(Sum other) {
            boolean endless = bytes == Long.MAX_VALUE || other.bytes == Long.MAX_VALUE;
            return new Sum(endless ? Long.MAX_VALUE : bytes + other.bytes, entries + other.entries);
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
        return add(LEAST_BYTES);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        return add(Math.max(LEAST_BYTES, attributes.size()));
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
        return gone(failure) ? FileVisitResult.CONTINUE : endless();
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
        return failure == null || gone(failure) ? FileVisitResult.CONTINUE : endless();
    }

    private FileVisitResult add(long more) {
        bytes += more;
        entries++;
        return FileVisitResult.CONTINUE;
    }

    private FileVisitResult endless() {
        bytes = Long.MAX_VALUE;
        return FileVisitResult.TERMINATE;
    }

    private static boolean gone(IOException failure) {
        return failure instanceof NoSuchFileException
                || (failure instanceof FileSystemException e
                        && "Not a directory".equals(e.getReason()));
    }
}
