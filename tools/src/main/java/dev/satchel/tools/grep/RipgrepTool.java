package dev.satchel.tools.grep;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.document.SearchedDocuments;
import dev.satchel.tools.grep.GrepRequest.Mode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Searches files with ripgrep, and with RE2/J where ripgrep cannot. Which patterns are valid is
 * decided by RE2/J, so that a pattern that works in one place works everywhere.
 */
public final class RipgrepTool extends CheckedTool<RipgrepTool.Context> {
    private static final int MIN_OUTPUT = 1024 * 1024;
    private static final int MAX_OUTPUT = 16 * 1024 * 1024;
    private static final int BYTES_PER_SKIPPED_RESULT = 160;

    private final Ripgrep ripgrep;
    private final Duration maxTime;
    private final GrepTool fallback;

    /** The files, commands that see them in their working directory, and how documents are read. */
    public record Context(
            ReadableDirectory files, CommandRunner commands, DocumentTextReader documents) {
        GrepTool.Context withoutCommands() {
            return new GrepTool.Context(files, documents);
        }
    }

    public RipgrepTool(Ripgrep ripgrep, Duration maxTime) {
        super(GrepTool.DESCRIPTION);
        this.ripgrep = ripgrep;
        this.maxTime = maxTime;
        this.fallback = new GrepTool(maxTime);
    }

    @Override
    protected ToolResult run(ToolArguments arguments, Context context)
            throws IOException, InterruptedException, InvalidArgumentException {
        GrepRequest request = GrepRequest.of(arguments);
        List<GrepTarget> targets =
                GrepTarget.resolve(request.paths(), context.files(), context.documents());
        Mode mode = request.mode(targets);
        List<GrepTarget> searched = searched(request, targets);
        GrepReport report = new GrepReport(request.format());
        if (!searched.isEmpty()) {
            Optional<Ripgrep.Result> result =
                    searched.stream().anyMatch(target -> target.path().inSkills())
                            ? Optional.empty() // few and small files, outside of the workspace
                            : run(request, searched, mode, context);
            if (result.isEmpty()) {
                return fallback.search(request, targets, context.withoutCommands());
            }
            new RipgrepResults(request, mode, context.files(), report)
                    .add(searched, result.get().matches());
            if (result.get().timedOut()) {
                report.stopped(GrepReport.TOO_LONG);
                return ToolResult.success(report.text());
            }
            if (result.get().cut() && !report.complete()) {
                report.stopped(GrepReport.TOO_MANY);
            }
        }
        searchDocuments(request, targets, report, context);
        return ToolResult.success(report.text());
    }

    private void searchDocuments(
            GrepRequest request, List<GrepTarget> targets, GrepReport report, Context context)
            throws IOException, InterruptedException, InvalidArgumentException {
        if (!context.documents().unavailable().isEmpty() || report.complete()) {
            return;
        }
        DocumentSearch documents =
                new DocumentSearch(
                        request, request.mode(targets), report, context.withoutCommands(), maxTime);
        List<String> extensions = SearchedDocuments.extensions(context.documents());
        for (GrepTarget target : targets) {
            if (target.kind() == GrepTarget.Kind.DOCUMENT) {
                documents.add(target, target.path().path());
            } else if (target.isDirectory() && request.names().allowsAny(extensions)) {
                for (WorkspacePath path : list(target, extensions, context.commands())) {
                    if (request.names().allow(target.relative(path))) {
                        documents.add(target, path);
                    }
                }
            }
        }
        documents.run();
    }

    /** The files of a directory that may be documents, by their names. */
    private List<WorkspacePath> list(
            GrepTarget target, List<String> extensions, CommandRunner commands)
            throws IOException, InterruptedException {
        return ripgrep.list(
                RipgrepArguments.documents(extensions),
                target.path().path(),
                new Ripgrep.Limits(maxTime, MAX_OUTPUT),
                commands);
    }

    private static List<GrepTarget> searched(GrepRequest request, List<GrepTarget> targets) {
        return targets.stream()
                .filter(t -> t.kind() != GrepTarget.Kind.DOCUMENT)
                .filter(t -> t.kind() != GrepTarget.Kind.BINARY || request.namesBinaryFile(targets))
                .toList();
    }

    private Optional<Ripgrep.Result> run(
            GrepRequest request, List<GrepTarget> targets, Mode mode, Context context)
            throws IOException, InterruptedException {
        if (!RipgrepArguments.canExpress(request.regex())) {
            return Optional.empty();
        }
        long skipped = (long) BYTES_PER_SKIPPED_RESULT * request.format().offset();
        return ripgrep.run(
                RipgrepArguments.options(
                        request, targets, mode, SearchedDocuments.extensions(context.documents())),
                targets.stream().map(target -> target.path().path()).toList(),
                new Ripgrep.Limits(maxTime, (int) Math.min(MIN_OUTPUT + skipped, MAX_OUTPUT)),
                context.commands());
    }
}
