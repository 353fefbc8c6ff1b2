package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * A directory whose files can be read. Safe for many threads.
 *
 * <p>A missing path is a {@link NoSuchFileException}, a path that leads out is an {@link
 * UnsafePathException}, and a path that is not a regular file is an {@link IrregularFileException}.
 */
public interface ReadableDirectory {
    /** Opens a regular file; FIFOs, sockets and devices are refused without being touched. */
    OpenFile open(WorkspacePath path) throws IOException;

    /** The attributes of a path; of a link those of the link itself. */
    FileStat stat(WorkspacePath path) throws IOException;

    /** The entries of a directory by name; links on the way are not followed. */
    List<WorkspaceEntry> list(WorkspacePath directory) throws IOException;

    /** Walks everything beneath, lazily, a directory before its entries. */
    default WorkspaceWalk walk(WorkspacePath start) {
        return new WorkspaceWalk(this::list, start);
    }
}
