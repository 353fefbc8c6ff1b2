package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.function.Predicate;

/**
 * A directory that can be read. Paths never lead out of it. Safe for many threads.
 *
 * <p>A missing file is a {@link NoSuchFileException}, a path whose links would lead out an {@link
 * UnsafePathException}, a file that is not regular an {@link IrregularFileException}.
 */
public interface ReadableDirectory extends AutoCloseable {
    /** Opens a regular file; FIFOs, sockets and devices are refused without being opened. */
    OpenFile open(WorkspacePath path) throws IOException;

    /** Opens several files, which the caller asks for in this order; the caller closes it. */
    default FileOpener opener(List<WorkspacePath> files) throws IOException {
        return new FileOpener() {
            @Override
            public OpenFile open(WorkspacePath path) throws IOException {
                return ReadableDirectory.this.open(path);
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

    /** Does not follow a link at the end of the path. */
    FileStat stat(WorkspacePath path) throws IOException;

    /**
     * The target of a link, which may be outside; refused as unsafe where the system cannot read it
     * safely.
     */
    String readLink(WorkspacePath path) throws IOException;

    /** The entries of a directory by name; links on the way are not followed. */
    List<WorkspaceEntry> list(WorkspacePath directory) throws IOException;

    /** Walks everything beneath, lazily, a directory before its entries. */
    default WorkspaceWalk walk(WorkspacePath start) {
        return new WorkspaceWalk(this::list, start);
    }

    /**
     * Walks everything beneath, to the end, in the same order. An entry that is not wanted is
     * neither passed to the visitor nor entered. May read ahead, so it takes less time than a lazy
     * walk.
     */
    default void visit(Predicate<WorkspaceEntry> wanted, Visitor visitor) throws IOException {
        walk(WorkspacePath.ROOT).visit(wanted, visitor);
    }

    /** Receives one entry after the other. */
    @FunctionalInterface
    interface Visitor {
        void visit(WorkspaceEntry entry) throws IOException;
    }

    @Override
    void close();
}
