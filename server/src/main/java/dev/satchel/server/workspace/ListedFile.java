package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.FileStat;
import dev.satchel.runner.workspace.WorkspacePath;
import java.time.Instant;

/** One file of a listing. */
record ListedFile(String path, long size, Instant modified) {
    static ListedFile of(WorkspacePath path, FileStat stat) {
        return new ListedFile(path.value(), stat.size(), stat.modified());
    }

    /** As clients get it. */
    String modifiedAt() {
        return Timestamps.of(modified);
    }
}
