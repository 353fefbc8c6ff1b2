package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.workspace.SessionTimestamps;
import java.time.Instant;

/** One file of a listing. */
public record ListedFile(String path, long size, Instant modified) {
    static ListedFile of(WorkspacePath path, FileStat stat) {
        return new ListedFile(path.value(), stat.size(), stat.modified());
    }

    /** The time as it is sent to clients. */
    String modifiedAt() {
        return SessionTimestamps.of(modified);
    }
}
