package dev.satchel.runner.agent;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds files that were created or changed since a listing. Lists at most 20,000 files. */
final class ChangedFiles {
    private static final int MAX_FILES = 20_000;

    private final Map<WorkspacePath, FileStat> before;

    private ChangedFiles(Map<WorkspacePath, FileStat> before) {
        this.before = before;
    }

    static ChangedFiles list(SafeDirectory workspace) throws IOException {
        Map<WorkspacePath, FileStat> before = new HashMap<>();
        for (WorkspaceEntry file : files(workspace)) {
            before.put(file.path(), file.stat());
        }
        return new ChangedFiles(before);
    }

    List<String> since(SafeDirectory workspace) throws IOException {
        List<String> changed = new ArrayList<>();
        if (before.size() == MAX_FILES) {
            return changed; // the listing is incomplete
        }
        for (WorkspaceEntry file : files(workspace)) {
            if (!file.stat().equals(before.get(file.path()))) {
                changed.add(file.path() + " (" + file.stat().size() + " bytes)");
            }
        }
        return changed;
    }

    private static List<WorkspaceEntry> files(SafeDirectory workspace) throws IOException {
        List<WorkspaceEntry> files = new ArrayList<>();
        WorkspaceWalk walk = workspace.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry e = walk.next(); e != null; e = walk.next()) {
            if (e.stat().isFile()) {
                files.add(e);
            }
            if (files.size() == MAX_FILES) {
                break;
            }
        }
        return files;
    }
}
