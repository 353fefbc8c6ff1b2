package dev.satchel.runner.tool;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Searches one file after the other and puts what it finds into one report. */
final class FileGrep {
    private final GrepQuery query;
    private final GrepQuery.Mode mode;
    private final boolean single;
    private final SafeDirectory workspace;
    private final GrepReport report;
    private final Deadline deadline;
    private final LineScanner scanner;

    FileGrep(
            GrepQuery query,
            GrepQuery.Mode mode,
            boolean single,
            SafeDirectory workspace,
            GrepReport report,
            Deadline deadline) {
        this.query = query;
        this.mode = mode;
        this.single = single;
        this.workspace = workspace;
        this.report = report;
        this.deadline = deadline;
        boolean numbers = mode == GrepQuery.Mode.CONTENT;
        this.scanner = new LineScanner(query.matcher(), numbers, deadline);
    }

    void search(PathArgument base, WorkspacePath path) throws IOException, BadArgumentException {
        String shown = base.show(path);
        try (OpenFile file = workspace.open(path)) {
            TextFile text = TextFile.of(file);
            if (text.type().kind() != FileType.Kind.TEXT) {
                binary(shown, text);
                return;
            }
            switch (mode) {
                case CONTENT -> content(shown, text);
                case FILES_WITH_MATCHES -> {
                    if (matches(shown, text)) {
                        report.add(shown);
                    }
                }
                case COUNT -> count(shown, text);
            }
        }
    }

    private void binary(String shown, TextFile text) throws IOException, BadArgumentException {
        if (single && mode == GrepQuery.Mode.CONTENT && matches(shown, text)) {
            report.add("Binary file " + shown + " matches");
        }
    }

    private boolean matches(String shown, TextFile text) throws IOException, BadArgumentException {
        boolean[] found = new boolean[1];
        scan(
                shown,
                text,
                (_, _, _) -> {
                    found[0] = true;
                    return false;
                });
        return found[0];
    }

    private void count(String shown, TextFile text) throws IOException, BadArgumentException {
        int[] lines = new int[1];
        scan(
                shown,
                text,
                (_, _, _) -> {
                    lines[0]++;
                    return true;
                });
        if (lines[0] > 0) {
            report.add(shown + ":" + lines[0]);
        }
    }

    private void content(String shown, TextFile text) throws IOException, BadArgumentException {
        GrepLines lines = new GrepLines(shown, query.shape());
        if (!query.shape().hasContext()) {
            scan(shown, text, (number, line, match) -> report.add(lines.hit(number, line, match)));
            return;
        }
        List<GrepLines.Hit> hits = new ArrayList<>();
        int enough = query.shape().offset() + query.shape().limit() + 1;
        scan(
                shown,
                text,
                (number, line, match) -> {
                    hits.add(new GrepLines.Hit(number, GrepLines.window(line, match)));
                    return hits.size() < enough;
                });
        if (!hits.isEmpty()) {
            lines.withContext(hits, new LineReader(text.from(0)), report);
        }
    }

    private void scan(String shown, TextFile text, LineScanner.Hits hits)
            throws IOException, BadArgumentException {
        if (query.multiline() == null) {
            scanner.scan(text, hits);
        } else {
            query.multiline().scan(shown, text, deadline, hits);
        }
    }
}
