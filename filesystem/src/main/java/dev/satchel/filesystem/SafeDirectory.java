package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A directory that can be read and written. The kernel resolves every name beneath it, so a link
 * that is swapped in at the last moment opens nothing outside. Safe for many threads.
 */
public interface SafeDirectory extends ReadableDirectory, AutoCloseable {
    /** Uses openat2 where the system has it, else an implementation that follows no links. */
    static SafeDirectory open(Path root) throws IOException {
        return open(root, new SharedTreeReads());
    }

    /** With reads that several walks of the same tree share. */
    static SafeDirectory open(Path root, SharedTreeReads reads) throws IOException {
        Optional<SafeDirectory> kernel = KernelDirectory.tryOpen(root, reads);
        return kernel.isPresent() ? kernel.get() : StreamDirectory.open(root);
    }

    /** Opens several files, which the caller asks for in this order; the caller closes it. */
    default FileOpener opener(List<WorkspacePath> files) throws IOException {
        return new FileOpener() {
            @Override
            public OpenFile open(WorkspacePath path) throws IOException {
                return SafeDirectory.this.open(path);
            }

            @Override
            public void close() {
                // each file is closed by its reader
            }
        };
    }

    /** Opens files of one directory. A directory on another machine sends them together. */
    interface FileOpener extends AutoCloseable {
        OpenFile open(WorkspacePath path) throws IOException;

        @Override
        void close();
    }

    /**
     * The target of a link, which may be outside; refused as unsafe where the system cannot read it
     * safely.
     */
    String readLink(WorkspacePath path) throws IOException;

    /**
     * Walks everything beneath, to the end, in the same order as {@link #walk}. An entry that is
     * not wanted is neither passed to the visitor nor entered. May read ahead, so it takes less
     * time than a lazy walk.
     */
    default void visit(Predicate<WorkspaceEntry> wanted, Visitor visitor) throws IOException {
        walk(WorkspacePath.ROOT).visit(wanted, visitor);
    }

    /** Receives one entry after the other. */
    @FunctionalInterface
    interface Visitor {
        void visit(WorkspaceEntry entry) throws IOException;
    }

    /**
     * Begins a file that will replace a file or link of that name. Creates missing parents; all of
     * it belongs to the owner of the directory in which it is created.
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
     * Creates a link, in place of a file or link of that name; refused as unsafe where the system
     * cannot create it safely.
     */
    void link(WorkspacePath path, String target) throws IOException;

    /** Sets permission bits and time of a file or directory; of a link only its time. */
    void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException;

    /** Moves a file, link or directory; replaces a file or link of that name. */
    void rename(WorkspacePath from, WorkspacePath to) throws IOException;

    /** Deletes a file, a link (not its target) or an empty directory. */
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
