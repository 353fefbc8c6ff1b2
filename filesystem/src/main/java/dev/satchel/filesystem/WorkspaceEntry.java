package dev.satchel.filesystem;

import java.util.Comparator;

/** One thing found in a workspace. */
public record WorkspaceEntry(WorkspacePath path, FileStat stat) {
    /** Within one directory. */
    static final Comparator<WorkspaceEntry> BY_NAME =
            (one, other) -> WorkspacePath.compareNames(one.path.value(), other.path.value());
}
