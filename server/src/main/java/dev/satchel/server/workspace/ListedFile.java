package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.FileStat;
import dev.satchel.runner.workspace.WorkspacePath;

/** One file of a listing, as clients get it. */
record ListedFile(String path, long size, String modifiedAt) {
    static ListedFile of(WorkspacePath path, FileStat stat) {
        return new ListedFile(path.value(), stat.size(), Timestamps.of(stat.modified()));
    }
}
