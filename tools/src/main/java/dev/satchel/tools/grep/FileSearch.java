package dev.satchel.tools.grep;

import com.google.re2j.Matcher;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.LineReader;
import dev.satchel.tools.TextFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Searches one file after the other with RE2/J and adds the results to a report. */
final class FileSearch {
    private static final int MAX_MULTILINE_BYTES = 8 * 1024 * 1024;

    private final GrepRequest request;
    private final GrepRequest.Mode mode;
    private final GrepReport report;
    private final Deadline deadline;

    /** A text from its beginning, which may be opened several times. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    /** Receives a matching line and where its match begins; false ends the search of the file. */
    private interface LineListener {
        boolean matched(long number, String line, int match);
    }

    FileSearch(GrepRequest request, GrepRequest.Mode mode, GrepReport report, Deadline deadline) {
        this.request = request;
        this.mode = mode;
        this.report = report;
        this.deadline = deadline;
    }

    void search(String shown, TextFile text) throws IOException, InvalidArgumentException {
        Source source = () -> text.from(0);
        if (!text.isText()) {
            if (matches(shown, source)) {
                report.add(GrepLines.binary(shown));
            }
            return;
        }
        switch (mode) {
            case CONTENT -> addLines(shown, source);
            case FILES_WITH_MATCHES -> {
                if (matches(shown, source)) {
                    report.add(shown);
                }
            }
            case COUNT -> addCount(shown, count(shown, source));
        }
    }

    boolean matches(String shown, Source text) throws IOException, InvalidArgumentException {
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

    void addCount(String shown, int lines) {
        if (lines > 0) {
            report.add(shown + ":" + lines);
        }
    }

    int count(String shown, Source text) throws IOException, InvalidArgumentException {
        int[] lines = new int[1];
        scan(
                shown,
                text,
                (_, _, _) -> {
                    lines[0]++;
                    return true;
                });
        return lines[0];
    }

    void addLines(String shown, Source text) throws IOException, InvalidArgumentException {
        GrepLines lines = new GrepLines(shown, request.format());
        if (!request.format().hasContext()) {
            scan(
                    shown,
                    text,
                    (number, line, match) ->
                            report.add(lines.line(number, GrepLines.window(line, match))));
            return;
        }
        List<GrepLines.Hit> hits = new ArrayList<>();
        scan(
                shown,
                text,
                (number, line, match) -> {
                    hits.add(new GrepLines.Hit(number, GrepLines.window(line, match)));
                    return hits.size() < request.format().wanted();
                });
        if (!hits.isEmpty()) {
            lines.addWithContext(hits, new LineReader(text.open()), report);
        }
    }

    private void scan(String shown, Source text, LineListener listener)
            throws IOException, InvalidArgumentException {
        if (request.regex().multiline()) {
            scanWhole(shown, text, listener);
        } else {
            scanLines(text, listener);
        }
    }

    private void scanLines(Source text, LineListener listener) throws IOException {
        WholeLineReader lines = new WholeLineReader(text.open());
        String line;
        while ((line = lines.next()) != null) {
            deadline.check();
            int match = request.regex().find(line, deadline);
            if (match >= 0 && !listener.matched(lines.number(), line, match)) {
                return;
            }
        }
    }

    /** Reports every line that a match touches, once. */
    private void scanWhole(String shown, Source file, LineListener listener)
            throws IOException, InvalidArgumentException {
        byte[] bytes = file.open().readNBytes(MAX_MULTILINE_BYTES + 1);
        if (bytes.length > MAX_MULTILINE_BYTES) {
            throw new InvalidArgumentException(
                    "multiline searches files up to 8 MB, " + shown + " is larger");
        }
        String text = new String(bytes, StandardCharsets.UTF_8).replace("\r\n", "\n");
        Matcher matcher = request.regex().matcher(text, deadline);
        int lineStart = 0; // of the first line that is neither reported nor skipped
        long number = 1;
        while (matcher.find()) {
            int lastTouched = Math.max(matcher.start(), matcher.end() - 1);
            while (lineStart < text.length() && lineStart <= lastTouched) {
                int feed = text.indexOf('\n', lineStart);
                int lineEnd = feed < 0 ? text.length() : feed;
                boolean touched = lineEnd >= matcher.start();
                if (touched && !listener.matched(number, text.substring(lineStart, lineEnd), 0)) {
                    return;
                }
                lineStart = lineEnd + 1;
                number++;
            }
        }
    }
}
