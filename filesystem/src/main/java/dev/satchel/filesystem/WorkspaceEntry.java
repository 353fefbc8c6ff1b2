package dev.satchel.filesystem;

import java.util.Comparator;

/** A file, directory, link or other entry of a workspace. */
public record WorkspaceEntry(WorkspacePath path, FileStat stat) {
    /** The order within one directory. */
    static final Comparator<WorkspaceEntry> BY_NAME =
            (one, other) -> WorkspacePath.compareNames(one.path.value(), other.path.value());
}
