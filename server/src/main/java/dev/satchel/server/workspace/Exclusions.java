package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.WorkspaceEntry;
import java.util.List;
import java.util.Set;

/** What a listing leaves out unless it is asked for everything: the seed's list, to the letter. */
enum Exclusions {
    USUAL {
        @Override
        boolean excludes(WorkspaceEntry entry) {
            String name = entry.path().name();
            if (NAMES.contains(name)) {
                return true;
            }
            return !entry.stat().isDirectory() && EXTENSIONS.stream().anyMatch(name::endsWith);
        }
    },
    NONE {
        @Override
        boolean excludes(WorkspaceEntry entry) {
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
    private static final List<String> EXTENSIONS = List.of(".sock", ".lock", ".pid");

    abstract boolean excludes(WorkspaceEntry entry);
}
