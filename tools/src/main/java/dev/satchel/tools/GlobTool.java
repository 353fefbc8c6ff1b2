package dev.satchel.tools;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds files by name, newest first. */
public final class GlobTool extends CheckedTool<ReadableDirectory> {
    private static final int MAX_FILES = 100;
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "pattern": {"type": "string", "description": "Such as *.csv or src/**/*.{ts,tsx}"},
               "paths": {"type": ["string", "array"], "items": {"type": "string"},
                 "description": "Directories to search; the whole workspace when absent"}},
             "required": ["pattern"]}
            """;

    private record Found(String shown, WorkspaceEntry entry) {}

    public GlobTool() {
        super(
                new ToolDescription(
                        "glob",
                        List.of(),
                        "Finds files by a name pattern, newest first, at most 100.",
                        SCHEMA));
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ReadableDirectory files)
            throws IOException, InterruptedException, InvalidArgumentException {
        GlobPattern glob = GlobPattern.of("pattern", arguments.string("pattern"));
        List<Found> found = new ArrayList<>();
        List<String> given = arguments.strings("paths", "path");
        for (String path : given.isEmpty() ? List.of(".") : given) {
            PathArgument base = PathArgument.parseReadable(path);
            found.addAll(onPath(base, () -> find(base, glob, base.in(files))));
        }
        found.sort(
                Comparator.comparing((Found f) -> f.entry().stat().modified())
                        .reversed()
                        .thenComparing(Found::shown));
        return ToolResult.success(text(found));
    }

    private static List<Found> find(PathArgument base, GlobPattern glob, ReadableDirectory files)
            throws IOException {
        int skip = base.path().isRoot() ? 0 : base.path().value().length() + 1;
        List<Found> found = new ArrayList<>();
        WorkspaceWalk walk = files.walk(base.path());
        for (WorkspaceEntry e = walk.next(); e != null; e = walk.next()) {
            if (e.stat().isFile() && glob.matches(e.path().value().substring(skip))) {
                found.add(new Found(base.show(e.path()), e));
            }
        }
        return found;
    }

    private static String text(List<Found> found) {
        if (found.isEmpty()) {
            return "No files found.";
        }
        StringBuilder out = new StringBuilder();
        for (Found file : found.subList(0, Math.min(MAX_FILES, found.size()))) {
            out.append(file.shown()).append('\n');
        }
        if (found.size() > MAX_FILES) {
            return out + "(Showing the newest %d of %d files.)".formatted(MAX_FILES, found.size());
        }
        return out.substring(0, out.length() - 1);
    }
}
