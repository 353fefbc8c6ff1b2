package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;
import java.util.function.Predicate;

/** A live workspace; an agent may be working in it. */
public record LiveWorkspaceView(SafeDirectory directory) implements WorkspaceView {
    @Override
    public WorkspaceSource source() {
        return WorkspaceSource.LIVE;
    }

    @Override
    public void walk(Visitor visitor) throws IOException {
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            if (!visitor.visit(entry)) {
                walk.skip();
            }
        }
    }

    @Override
    public void visit(Predicate<WorkspaceEntry> wanted, SafeDirectory.Visitor visitor)
            throws IOException {
        directory.visit(wanted, visitor);
    }

    @Override
    public WorkspaceFile open(WorkspacePath path) throws IOException {
        return new LiveFile(directory.open(path));
    }

    @Override
    public String linkTarget(WorkspacePath link) throws IOException {
        return directory.readLink(link);
    }

    @Override
    public void close() {
        directory.close();
    }
}
