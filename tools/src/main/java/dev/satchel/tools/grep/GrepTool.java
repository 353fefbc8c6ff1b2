package dev.satchel.tools.grep;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.TextFile;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.document.DocumentTextReader;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;

/** Searches files line by line with RE2/J, in any directory that can be read. */
public final class GrepTool extends CheckedTool<GrepTool.Context> {
    /** The files, and how documents among them are read. */
    public record Context(ReadableDirectory files, DocumentTextReader documents) {}

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

    static final ToolDescription DESCRIPTION =
            new ToolDescription(
                    "grep",
                    List.of(),
                    "Searches files for a regular expression and shows matching lines as"
                            + " path:line:text, or the files that match, or how often. Documents"
                            + " (PDF, Office, …) are searched too: path:page 3:line:text.",
                    SCHEMA);

    private final Duration maxTime;

    public GrepTool(Duration maxTime) {
        super(DESCRIPTION);
        this.maxTime = maxTime;
    }

    @Override
    protected ToolResult run(ToolArguments arguments, Context context)
            throws IOException, InterruptedException, InvalidArgumentException {
        GrepRequest request = GrepRequest.of(arguments);
        return search(
                request,
                GrepTarget.resolve(request.paths(), context.files(), context.documents()),
                context);
    }

    ToolResult search(GrepRequest request, List<GrepTarget> targets, Context context)
            throws IOException, InterruptedException, InvalidArgumentException {
        ReadableDirectory files = context.files();
        GrepReport report = new GrepReport(request.format());
        Deadline deadline = new Deadline(maxTime);
        GrepRequest.Mode mode = request.mode(targets);
        FileSearch search = new FileSearch(request, mode, report, deadline);
        DocumentSearch documents = new DocumentSearch(request, mode, report, context, maxTime);
        try {
            for (GrepTarget target : targets) {
                switch (target.kind()) {
                    case DIRECTORY ->
                            searchDirectory(
                                    target,
                                    request,
                                    target.path().in(files),
                                    documents,
                                    search,
                                    report);
                    case DOCUMENT -> documents.add(target, target.path().path());
                    case TEXT ->
                            searchFile(
                                    target, target.path().path(), target.path().in(files), search);
                    case BINARY -> {
                        if (request.namesBinaryFile(targets)) {
                            searchFile(
                                    target, target.path().path(), target.path().in(files), search);
                        }
                    }
                }
            }
        } catch (Deadline.ExceededException _) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            report.stopped(GrepReport.TOO_LONG);
        }
        documents.run();
        return ToolResult.success(report.text());
    }

    private static void searchDirectory(
            GrepTarget target,
            GrepRequest request,
            ReadableDirectory files,
            DocumentSearch documents,
            FileSearch search,
            GrepReport report)
            throws IOException, InvalidArgumentException {
        WorkspaceWalk walk = files.walk(target.path().path());
        for (WorkspaceEntry entry = walk.next();
                entry != null && !report.complete();
                entry = walk.next()) {
            if (entry.stat().isDirectory() && entry.path().name().equals(".git")) {
                walk.skip();
            }
            boolean isSearched =
                    entry.stat().isFile() && request.names().allow(target.relative(entry.path()));
            if (isSearched && documents.takes(entry.path())) {
                documents.add(target, entry.path());
            } else if (isSearched) {
                searchFile(target, entry.path(), files, search);
            }
        }
    }

    private static void searchFile(
            GrepTarget target, WorkspacePath path, ReadableDirectory files, FileSearch search)
            throws IOException, InvalidArgumentException {
        try (OpenFile file = files.open(path)) {
            TextFile text = TextFile.of(file);
            if (text.isText() || target.kind() == GrepTarget.Kind.BINARY) {
                search.search(target.path().show(path), text);
            }
        } catch (FileSystemException _) {
            // removed or made unreadable after it was listed
        }
    }
}
