package dev.satchel.tools;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;

/** The entries of a directory that are not hidden, two levels deep. */
final class DirectoryView {
    private static final int MAX_CHARACTERS = 20 * 1024;

    private DirectoryView() {}

    static String of(ReadableDirectory workspace, WorkspacePath start) throws IOException {
        StringBuilder out = new StringBuilder();
        int skip = start.isRoot() ? 0 : start.value().length() + 1;
        WorkspaceWalk walk = workspace.walk(start);
        for (WorkspaceEntry e = walk.next(); e != null; e = walk.next()) {
            String shown = e.path().value().substring(skip);
            if (e.path().name().startsWith(".")) {
                walk.skip();
                continue;
            }
            if (shown.indexOf('/') >= 0) {
                walk.skip();
            }
            if (out.length() + shown.length() > MAX_CHARACTERS) {
                return out + "(More entries are not shown. View a directory further down.)";
            }
            out.append(shown).append(e.stat().isDirectory() ? "/\n" : "\n");
        }
        return out.isEmpty() ? "(empty directory)" : out.substring(0, out.length() - 1);
    }
}
