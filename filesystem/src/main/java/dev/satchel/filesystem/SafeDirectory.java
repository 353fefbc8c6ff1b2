package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A directory out of which no path leads: every name is resolved by the kernel beneath it, so a
 * link swapped in at the last moment opens nothing foreign. Safe for many threads.
 *
 * <p>What is missing is a {@link NoSuchFileException}, what a link would lead astray an {@link
 * UnsafePathException}, what is no regular file an {@link IrregularFileException}.
 */
public interface SafeDirectory extends ReadableDirectory, AutoCloseable {
    /** Takes the kernel's own way where there is one, else one that follows no link at all. */
    static SafeDirectory open(Path root) throws IOException {
        return open(root, new SharedTreeReads());
    }

    /** With readings that others walking the same tree share. */
    static SafeDirectory open(Path root, SharedTreeReads readings) throws IOException {
        Optional<SafeDirectory> kernel = KernelDirectory.tryOpen(root, readings);
        return kernel.isPresent() ? kernel.get() : StreamDirectory.open(root);
    }

    /**
     * Says which files will be opened next, and in which order: one that lies elsewhere brings them
     * together instead of one by one.
     */
    default void expect(List<WorkspacePath> files) throws IOException {}

    /**
     * What a link says, wherever that leads; refused as unsafe where the system does not tell it
     * safely.
     */
    String readLink(WorkspacePath path) throws IOException;

    /**
     * Walks everything beneath, to the end, in the same order; what is not wanted is neither shown
     * nor entered. Reads ahead where it can, so it takes less time than a lazy walk.
     */
    default void visit(Predicate<WorkspaceEntry> wanted, Visitor visitor) throws IOException {
        walk(WorkspacePath.ROOT).visit(wanted, visitor);
    }

    /** Is shown one entry after the other. */
    @FunctionalInterface
    interface Visitor {
        void visit(WorkspaceEntry entry) throws IOException;
    }

    /**
     * Begins a file that will replace whatever file or link is there. Missing parents are made; all
     * of it belongs to the owner of the directory it is made in.
     */
    NewFile create(WorkspacePath path) throws IOException;

    default void write(WorkspacePath path, byte[] content) throws IOException {
        try (NewFile file = create(path)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                file.channel().write(bytes);
            }
            file.commit();
        }
    }

    void createDirectories(WorkspacePath path) throws IOException;

    /**
     * Makes a link where nothing or a file or link is; refused as unsafe where the system makes
     * none safely.
     */
    void link(WorkspacePath path, String target) throws IOException;

    /** Sets permission bits and time of a file or directory; of a link only its time. */
    void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException;

    /** Moves a file, link or directory; a file or link in its way is replaced. */
    void rename(WorkspacePath from, WorkspacePath to) throws IOException;

    /** Removes a file, a link (not what it points to) or an empty directory. */
    void delete(WorkspacePath path) throws IOException;

    default void deleteTree(WorkspacePath path) throws IOException {
        if (stat(path).isDirectory()) {
            for (WorkspaceEntry entry : list(path)) {
                deleteTree(entry.path());
            }
        }
        delete(path);
    }

    @Override
    void close();
}
