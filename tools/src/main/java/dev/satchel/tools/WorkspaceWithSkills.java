package dev.satchel.tools;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.util.List;

/**
 * A workspace beside which the skills of a run can be read, with paths that begin with {@code
 * /root/skills}.
 */
public record WorkspaceWithSkills(ReadableDirectory workspace, ReadableDirectory skills)
        implements ReadableDirectory {
    @Override
    public OpenFile open(WorkspacePath path) throws IOException {
        return workspace.open(path);
    }

    @Override
    public FileStat stat(WorkspacePath path) throws IOException {
        return workspace.stat(path);
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath directory) throws IOException {
        return workspace.list(directory);
    }
}
