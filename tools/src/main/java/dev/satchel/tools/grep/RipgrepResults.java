package dev.satchel.tools.grep;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.tools.LineReader;
import dev.satchel.tools.TextFile;
import dev.satchel.tools.grep.GrepRequest.Mode;
import dev.satchel.tools.grep.RipgrepOutput.Match;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds what ripgrep found to a report. */
final class RipgrepResults {
    /** Enough bytes for a window, whatever its characters are. */
    private static final int WINDOW_BYTES = 4 * GrepLines.WIDTH;

    private final GrepRequest request;
    private final Mode mode;
    private final ReadableDirectory files;
    private final GrepReport report;

    RipgrepResults(GrepRequest request, Mode mode, ReadableDirectory files, GrepReport report) {
        this.request = request;
        this.mode = mode;
        this.files = files;
        this.report = report;
    }

    void add(List<GrepTarget> targets, Map<WorkspacePath, Set<Match>> found) throws IOException {
        for (Map.Entry<WorkspacePath, Set<Match>> file : found.entrySet()) {
            if (report.complete()) {
                return;
            }
            for (GrepTarget target : targets) {
                if (target.contains(file.getKey())) {
                    add(target, file.getKey(), file.getValue());
                    break;
                }
            }
        }
    }

    private void add(GrepTarget target, WorkspacePath path, Set<Match> matches) throws IOException {
        if (target.isDirectory() && !request.names().allow(target.relative(path))) {
            return;
        }
        try (OpenFile file = files.open(path)) {
            add(target, target.path().show(path), TextFile.of(file), matches);
        } catch (FileSystemException _) {
            // removed or made unreadable after it was searched
        }
    }

    private void add(GrepTarget target, String shown, TextFile text, Set<Match> matches)
            throws IOException {
        if (!text.isText()) {
            if (!target.isDirectory()) {
                report.add(GrepLines.binary(shown));
            }
            return;
        }
        if (mode == Mode.FILES_WITH_MATCHES) {
            report.add(shown);
            return;
        }
        List<Match.Line> lines = new ArrayList<>();
        for (Match match : matches) {
            switch (match) {
                case Match.Line line -> lines.add(line);
                case Match.Count count -> report.add(shown + ":" + count.lines());
                case Match.Binary _ -> {} // added after its lines
            }
        }
        addLines(shown, text, lines);
        if (matches.contains(new Match.Binary())) {
            report.add(GrepLines.binary(shown));
        }
    }

    private void addLines(String shown, TextFile text, List<Match.Line> lines) throws IOException {
        GrepLines formatted = new GrepLines(shown, request.format());
        if (!request.format().hasContext()) {
            for (Match.Line line : lines) {
                String window = report.wantsNext() ? window(line, text) : "";
                if (!report.add(formatted.line(line.number(), window))) {
                    return;
                }
            }
            return;
        }
        List<GrepLines.Hit> hits = new ArrayList<>();
        for (Match.Line line : lines) {
            hits.add(new GrepLines.Hit(line.number(), window(line, text)));
        }
        formatted.addWithContext(hits, new LineReader(text.from(0)), report);
    }

    private String window(Match.Line line, TextFile text) throws IOException {
        if (line.isOmitted()) {
            return windowFromFile(line, text);
        }
        if (line.text().length() <= GrepLines.WIDTH) {
            return line.text();
        }
        byte[] bytes = line.text().getBytes(StandardCharsets.UTF_8);
        return window(bytes, (int) Math.min(bytes.length, line.column() - 1));
    }

    /** Reads as much of a long line before and after its match as a window can show. */
    private String windowFromFile(Match.Line line, TextFile text) throws IOException {
        long match = line.column() - 1;
        int before = (int) Math.min(match, WINDOW_BYTES);
        long start = line.offset() + match - before;
        InputStream in =
                RipgrepArguments.replacesInvalidBytes(request.regex())
                        ? text.validFrom(start)
                        : text.from(start);
        byte[] bytes = in.readNBytes(before + WINDOW_BYTES);
        if (bytes.length <= before) {
            return ""; // the file became shorter after it was searched
        }
        int from = 0;
        while (before < match && from < before && isContinuation(bytes[from])) {
            from++;
        }
        int to = before;
        while (to < bytes.length && bytes[to] != '\n') {
            to++;
        }
        to -= to < bytes.length && to > before && bytes[to - 1] == '\r' ? 1 : 0;
        return window(Arrays.copyOfRange(bytes, from, to), before - from);
    }

    private static String window(byte[] bytes, int match) {
        String line = new String(bytes, StandardCharsets.UTF_8);
        return GrepLines.window(line, new String(bytes, 0, match, StandardCharsets.UTF_8).length());
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xc0) == 0x80;
    }
}
