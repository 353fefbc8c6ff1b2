package dev.satchel.server.workspace.archive;

import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/** The targets of the symbolic links of a workspace. */
final class LinkTargets {
    private LinkTargets() {}

    /**
     * The target of a link that stays inside the workspace, by its names and with the links on the
     * way. Empty for any other link, and for one that was removed meanwhile.
     */
    static Optional<String> inside(WorkspaceView view, WorkspacePath link) throws IOException {
        try {
            String target = view.linkTarget(link);
            return staysInside(link, target) && !leadsOut(view, link)
                    ? Optional.of(target)
                    : Optional.empty();
        } catch (FileSystemException e) {
            return Optional.empty();
        }
    }

    private static boolean staysInside(WorkspacePath link, String target) {
        if (target.startsWith("/")) {
            return false;
        }
        int depth = link.names().size() - 1;
        for (String name : target.split("/", -1)) {
            if (name.equals("..")) {
                depth--;
            } else if (!name.isEmpty() && !name.equals(".")) {
                depth++;
            }
            if (depth < 0) {
                return false;
            }
        }
        return true;
    }

    /** Another link on the way may lead out although the names do not. */
    private static boolean leadsOut(WorkspaceView view, WorkspacePath link) throws IOException {
        try (WorkspaceFile _ = view.open(link)) {
            return false;
        } catch (UnsafePathException e) {
            return true;
        } catch (FileSystemException e) {
            return false; // a directory, or nothing
        }
    }
}
