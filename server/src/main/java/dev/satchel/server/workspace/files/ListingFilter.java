package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.WorkspaceEntry;
import java.util.List;
import java.util.Set;

/** What a listing leaves out by default: exactly the list of the Files API. */
public enum ListingFilter {
    DEFAULT {
        @Override
        public boolean excludes(WorkspaceEntry entry) {
            String path = entry.path().value();
            int name = path.lastIndexOf('/') + 1;
            if (FIRST_CHARACTERS.indexOf(path.charAt(name)) >= 0
                    && NAMES.contains(path.substring(name))) {
                return true;
            }
            return !entry.stat().isDirectory() && hasExtension(path);
        }

        private static boolean hasExtension(String path) {
            for (String extension : EXTENSIONS) {
                if (path.endsWith(extension)) {
                    return true;
                }
            }
            return false;
        }
    },
    NONE {
        @Override
        public boolean excludes(WorkspaceEntry entry) {
            return false;
        }
    };

    private static final Set<String> NAMES =
            Set.of(
                    "node_modules",
                    ".git",
                    "__pycache__",
                    ".cache",
                    ".npm",
                    ".pnpm-store",
                    ".yarn",
                    ".venv",
                    "venv",
                    ".tmp",
                    "tmp");

    /** The first characters of those names, so that most other names need no lookup. */
    private static final String FIRST_CHARACTERS = "n._vt";

    private static final List<String> EXTENSIONS = List.of(".sock", ".lock", ".pid");

    public abstract boolean excludes(WorkspaceEntry entry);
}
