package dev.satchel.server.workspace;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * A workspace to read from, live or as of a snapshot. Paths are resolved in the same way in both,
 * and refused with the exceptions of {@link ReadableDirectory}. The opener closes it.
 */
public interface WorkspaceView extends AutoCloseable {
    WorkspaceSource source();

    /** Visits all entries in order, a directory before its entries; does not follow links. */
    void walk(Visitor visitor) throws IOException;

    /** Visits all wanted entries, as {@link SafeDirectory#visit} does. */
    default void visit(Predicate<WorkspaceEntry> wanted, SafeDirectory.Visitor visitor)
            throws IOException {
        walk(
                entry -> {
                    if (!wanted.test(entry)) {
                        return false;
                    }
                    visitor.visit(entry);
                    return true;
                });
    }

    /** Opens a regular file; a link is followed as long as it stays inside. */
    WorkspaceFile open(WorkspacePath path) throws IOException;

    /** The target of a link, which may be outside. */
    String linkTarget(WorkspacePath link) throws IOException;

    @Override
    void close();

    /** Receives one entry after the other. */
    @FunctionalInterface
    interface Visitor {
        /** Returns whether to enter the entry if it is a directory. */
        boolean visit(WorkspaceEntry entry) throws IOException;
    }
}
