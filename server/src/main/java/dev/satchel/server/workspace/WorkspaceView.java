package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * A workspace to read from. Live or kept, the same paths lead to the same files, and what is
 * refused is refused with the exceptions of {@link SafeDirectory}. Whoever opens one closes it.
 */
public interface WorkspaceView extends AutoCloseable {
    WorkspaceSource source();

    /** Shows everything, a directory before what is in it, names in order, links not followed. */
    void walk(Visitor visitor) throws IOException;

    /** Shows everything that is wanted, as {@link SafeDirectory#visit} does. */
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

    /** What a link says, wherever that leads. */
    String linkTarget(WorkspacePath link) throws IOException;

    @Override
    void close();

    /** Is shown one entry after the other. */
    @FunctionalInterface
    interface Visitor {
        /** Returns whether to go on into it, where it is a directory. */
        boolean visit(WorkspaceEntry entry) throws IOException;
    }
}
