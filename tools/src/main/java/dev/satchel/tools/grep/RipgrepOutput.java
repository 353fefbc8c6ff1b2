package dev.satchel.tools.grep;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.linux.NameBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what ripgrep printed: for each result a path, a null byte, and a line. */
final class RipgrepOutput {
    private static final Pattern BINARY_NOTICE =
            Pattern.compile(
                    "(.*): (?:WARNING: stopped searching binary file|binary file matches).*",
                    Pattern.DOTALL);

    /** Ripgrep leaves out the column of an empty match at the end of a line. */
    private static final Pattern LINE =
            Pattern.compile("(\\d+)\u001f(?:(\\d+)\u001f)?(\\d+)\u001f(.*)", Pattern.DOTALL);

    private final byte[] bytes;
    private final Map<WorkspacePath, Set<Match>> matches = new LinkedHashMap<>();

    /** One result in a file. */
    sealed interface Match {
        /** A line; the column of its match is counted in bytes from 1. */
        record Line(long number, long column, long offset, String text) implements Match {
            boolean isOmitted() {
                return text.startsWith("[Omitted long ");
            }
        }

        record Count(long lines) implements Match {}

        /** The file matches, and has a null byte. */
        record Binary() implements Match {}
    }

    private RipgrepOutput(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The results of each file, in the order in which they were printed, without repetitions. */
    static Map<WorkspacePath, Set<Match>> parse(byte[] bytes) {
        RipgrepOutput output = new RipgrepOutput(bytes);
        output.parse();
        return output.matches;
    }

    /** Paths that each end with a null byte. */
    static List<WorkspacePath> parsePaths(byte[] bytes) {
        RipgrepOutput output = new RipgrepOutput(bytes);
        List<WorkspacePath> paths = new ArrayList<>();
        int start = 0;
        for (int end = output.indexOf((byte) 0, start);
                end < bytes.length;
                end = output.indexOf((byte) 0, start)) {
            paths.add(new WorkspacePath(output.name(start, end).substring(2)));
            start = end + 1;
        }
        return paths;
    }

    private void parse() {
        int position = 0;
        while (position < bytes.length) {
            int pathEnd = indexOf((byte) 0, position);
            int pathStart = skipNotices(position, pathEnd);
            int lineEnd = indexOf((byte) '\n', pathEnd);
            if (lineEnd == bytes.length) {
                return; // cut off
            }
            add(name(pathStart, pathEnd), line(pathEnd + 1, lineEnd));
            position = lineEnd + 1;
        }
    }

    /** Notices about binary files have no null byte, so they precede the next path. */
    private int skipNotices(int from, int to) {
        int start = from;
        int feed = indexOf((byte) '\n', start);
        while (feed < to) {
            Matcher notice = BINARY_NOTICE.matcher(name(start, feed));
            if (!notice.matches()) {
                return start; // a line feed in a file name
            }
            add(notice.group(1), new Match.Binary());
            start = feed + 1;
            feed = indexOf((byte) '\n', start);
        }
        return start;
    }

    private Match line(int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        Matcher line =
                LINE.matcher(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
        if (!line.matches()) {
            return new Match.Count(Long.parseLong(text.strip()));
        }
        String column = line.group(2);
        return new Match.Line(
                Long.parseLong(line.group(1)),
                column == null ? 1 : Long.parseLong(column),
                Long.parseLong(line.group(3)),
                line.group(4));
    }

    private void add(String path, Match match) {
        matches.computeIfAbsent(new WorkspacePath(path.substring(2)), _ -> new LinkedHashSet<>())
                .add(match);
    }

    private String name(int from, int to) {
        return NameBytes.text(bytes, from, to);
    }

    /** The end of the output if there is none. */
    private int indexOf(byte wanted, int from) {
        int i = from;
        while (i < bytes.length && bytes[i] != wanted) {
            i++;
        }
        return i;
    }
}
