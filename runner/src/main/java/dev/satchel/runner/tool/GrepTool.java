package dev.satchel.runner.tool;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;

/** Searches files for a regex. */
final class GrepTool extends CheckedTool {
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "pattern": {"type": "string", "description": "A regex (RE2 syntax)"},
               "paths": {"type": ["string", "array"], "items": {"type": "string"},
                 "description": "Files or directories; the whole workspace when absent"},
               "output_mode": {"type": "string",
                 "enum": ["content", "files_with_matches", "count"],
                 "description": "content for a single file, else files_with_matches"},
               "glob": {"type": "string", "description": "Only files like *.csv or src/**/*.ts"},
               "type": {"type": "string", "description": "Only files of a type: py, js, csv, …"},
               "-i": {"type": "boolean", "description": "Ignore case"},
               "-n": {"type": "boolean", "description": "Show line numbers (default true)"},
               "-A": {"type": "integer", "description": "Lines shown after a match"},
               "-B": {"type": "integer", "description": "Lines shown before a match"},
               "-C": {"type": "integer", "description": "Lines shown around a match"},
               "head_limit": {"type": "integer", "description": "Results shown, at most 250"},
               "offset": {"type": "integer", "description": "Results to pass over"},
               "multiline": {"type": "boolean", "description": "Matches may span lines"},
               "fixed_strings": {"type": "boolean", "description": "pattern is plain text"}},
             "required": ["pattern"]}
            """;

    private final Duration maxTime;

    GrepTool(Duration maxTime) {
        super(
                new ToolDescription(
                        "grep",
                        List.of(),
                        "Searches files for a regular expression and shows matching lines as"
                                + " path:line:text, or the files that match, or how often.",
                        SCHEMA));
        this.maxTime = maxTime;
    }

    @Override
    ToolResult run(Arguments arguments, ToolContext context)
            throws IOException, InterruptedException, BadArgumentException {
        GrepQuery query = GrepQuery.of(arguments);
        GrepReport report = new GrepReport(query.shape());
        try {
            search(query, context.workspace(), report);
        } catch (Deadline.Passed _) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            report.stop();
        }
        return ToolResult.success(report.text());
    }

    /** Missing paths are passed over as long as one is there. */
    private void search(GrepQuery query, SafeDirectory workspace, GrepReport report)
            throws IOException, BadArgumentException {
        Deadline deadline = new Deadline(maxTime);
        boolean single = query.paths().size() == 1;
        boolean found = false;
        for (PathArgument path : query.paths()) {
            if (report.complete()) {
                return;
            }
            try {
                file(query, workspace, report, deadline, single).search(path, path.path());
                found = true;
            } catch (IrregularFileException e) {
                if (e.kind() == FileStat.Kind.DIRECTORY) {
                    directory(path, query, workspace, report, deadline);
                    found = true;
                }
            } catch (FileSystemException _) {
                // missing, or a path that leads out: both are passed over alike
            }
        }
        if (!found) {
            throw query.paths().getFirst().missing();
        }
    }

    private static FileGrep file(
            GrepQuery query,
            SafeDirectory workspace,
            GrepReport report,
            Deadline deadline,
            boolean single) {
        GrepQuery.Mode otherwise =
                single ? GrepQuery.Mode.CONTENT : GrepQuery.Mode.FILES_WITH_MATCHES;
        GrepQuery.Mode mode = query.mode() == null ? otherwise : query.mode();
        return new FileGrep(query, mode, single, workspace, report, deadline);
    }

    private static void directory(
            PathArgument path,
            GrepQuery query,
            SafeDirectory workspace,
            GrepReport report,
            Deadline deadline)
            throws IOException, BadArgumentException {
        FileGrep grep = file(query, workspace, report, deadline, false);
        int skip = path.path().isRoot() ? 0 : path.path().value().length() + 1;
        WorkspaceWalk walk = workspace.walk(path.path());
        for (WorkspaceEntry e = walk.next(); e != null; e = walk.next()) {
            if (report.complete()) {
                return;
            }
            if (e.stat().isDirectory() && e.path().name().equals(".git")) {
                walk.skip();
            }
            if (e.stat().isFile() && query.names().allow(e.path().value().substring(skip))) {
                try {
                    grep.search(path, e.path());
                } catch (FileSystemException _) {
                    // gone, or made unreadable, since the walk saw it
                }
            }
        }
    }
}
