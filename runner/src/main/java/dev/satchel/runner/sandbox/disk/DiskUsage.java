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

/** Measures a tree of files while processes write to it. */
public final class DiskUsage extends SimpleFileVisitor<Path> {
    /** What is empty counts as one block, since its inode and name take space too. */
    private static final long LEAST_BYTES = 4096;

    private final long maxEntries;
    private long bytes;
    private long entries;

    private DiskUsage(long maxEntries) {
        this.maxEntries = maxEntries;
    }

    /**
     * Counts the length of files, not their blocks, since a snapshot reads the length. A directory
     * that cannot be read, such as one with a too long path, counts as unlimited. Ends when there
     * are more than {@code maxEntries}.
     */
    public static Sum of(Path tree, long maxEntries) throws IOException {
        DiskUsage usage = new DiskUsage(maxEntries);
        Files.walkFileTree(tree, usage);
        return new Sum(usage.bytes, usage.entries);
    }

    /** The bytes of a tree and its number of files and directories. */
    public record Sum(long bytes, long entries) {
        Sum plus(long more) {
            return bytes == Long.MAX_VALUE ? this : new Sum(bytes + more, entries);
        }

        Sum plus(Sum other) {
            boolean unlimited = bytes == Long.MAX_VALUE || other.bytes == Long.MAX_VALUE;
            return new Sum(
                    unlimited ? Long.MAX_VALUE : bytes + other.bytes, entries + other.entries);
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
        return add(attributes);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        return add(attributes);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
        return isDeleted(failure) ? FileVisitResult.CONTINUE : unlimited();
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
        return failure == null || isDeleted(failure) ? FileVisitResult.CONTINUE : unlimited();
    }

    private FileVisitResult add(BasicFileAttributes attributes) {
        bytes += Math.max(LEAST_BYTES, attributes.size());
        entries++;
        return entries > maxEntries ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    private FileVisitResult unlimited() {
        bytes = Long.MAX_VALUE;
        return FileVisitResult.TERMINATE;
    }

    private static boolean isDeleted(IOException failure) {
        return failure instanceof NoSuchFileException
                || (failure instanceof FileSystemException e
                        && "Not a directory".equals(e.getReason()));
    }
}
