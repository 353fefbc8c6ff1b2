package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything beneath a directory, one entry at a time. Links are returned and never followed, so it
 * ends. It holds one listing for each level and no open files. Entries that are removed during the
 * walk are left out.
 */
public final class WorkspaceWalk {
    private final Lister directory;
    private final Deque<Iterator<WorkspaceEntry>> levels = new ArrayDeque<>();
    private @Nullable WorkspacePath descend;
    private boolean atStart = true;

    /** Lists a directory as {@link SafeDirectory#list} does. */
    @FunctionalInterface
    public interface Lister {
        List<WorkspaceEntry> list(WorkspacePath directory) throws IOException;
    }

    public WorkspaceWalk(Lister directory, WorkspacePath start) {
        this.directory = directory;
        this.descend = start;
    }

    /** The next entry, or null at the end. Throws if the start is not a directory. */
    public @Nullable WorkspaceEntry next() throws IOException {
        enter();
        while (!levels.isEmpty()) {
            Iterator<WorkspaceEntry> entries = levels.peek();
            if (entries.hasNext()) {
                WorkspaceEntry entry = entries.next();
                descend = entry.stat().isDirectory() ? entry.path() : null;
                return entry;
            }
            levels.pop();
        }
        return null;
    }

    /** Skips the entries of the directory that was returned last. */
    public void skip() {
        descend = null;
    }

    void visit(Predicate<WorkspaceEntry> wanted, SafeDirectory.Visitor visitor) throws IOException {
        for (WorkspaceEntry entry = next(); entry != null; entry = next()) {
            if (wanted.test(entry)) {
                visitor.visit(entry);
            } else {
                skip();
            }
        }
    }

    private void enter() throws IOException {
        WorkspacePath into = descend;
        if (into == null) {
            return;
        }
        boolean first = atStart;
        atStart = false;
        descend = null;
        try {
            levels.push(directory.list(into).iterator());
        } catch (NoSuchFileException
                | NotDirectoryException
                | UnsafePathException
                | AccessDeniedException e) {
            if (first) {
                throw e;
            }
        }
    }
}
