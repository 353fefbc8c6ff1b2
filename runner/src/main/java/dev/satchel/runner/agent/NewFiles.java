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

/** Which files came or changed since a first look. A huge workspace is looked at in part. */
final class NewFiles {
    private static final int MAX_FILES = 20_000;

    private final Map<WorkspacePath, FileStat> seen;

    private NewFiles(Map<WorkspacePath, FileStat> seen) {
        this.seen = seen;
    }

    static NewFiles lookAt(SafeDirectory workspace) throws IOException {
        Map<WorkspacePath, FileStat> seen = new HashMap<>();
        for (WorkspaceEntry file : files(workspace)) {
            seen.put(file.path(), file.stat());
        }
        return new NewFiles(seen);
    }

    List<String> since(SafeDirectory workspace) throws IOException {
        List<String> fresh = new ArrayList<>();
        if (seen.size() == MAX_FILES) {
            return fresh; // which of them are new cannot be said
        }
        for (WorkspaceEntry file : files(workspace)) {
            if (!file.stat().equals(seen.get(file.path()))) {
                fresh.add(file.path() + " (" + file.stat().size() + " bytes)");
            }
        }
        return fresh;
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
