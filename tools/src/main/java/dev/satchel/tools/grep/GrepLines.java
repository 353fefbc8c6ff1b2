package dev.satchel.tools.grep;

import dev.satchel.tools.LineReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Formats the matching lines of one file, with the lines around them when wanted. */
final class GrepLines {
    static final int WIDTH = LineReader.MAX_CHARACTERS;

    private final String path;
    private final GrepRequest.Format format;

    /** A matching line, cut to a window if it is long. */
    record Hit(long number, String text) {}

    GrepLines(String path, GrepRequest.Format format) {
        this.path = path;
        this.format = format;
    }

    static String binary(String path) {
        return "Binary file " + path + " matches";
    }

    String line(long number, String text) {
        return format(':', number, text);
    }

    /** Cuts a long line to a window around its match. */
    static String window(String line, int match) {
        if (line.length() <= WIDTH) {
            return line;
        }
        int start = Math.clamp(match - WIDTH / 2, 0, line.length() - WIDTH);
        int end = start + WIDTH;
        start += start > 0 && Character.isLowSurrogate(line.charAt(start)) ? 1 : 0;
        end -= end < line.length() && Character.isHighSurrogate(line.charAt(end - 1)) ? 1 : 0;
        String cut = line.substring(start, end);
        return (start > 0 ? "…" : "") + cut + (end < line.length() ? "…" : "");
    }

    /** Adds each match as one result, together with the lines before and after it. */
    void addWithContext(List<Hit> hits, LineReader reader, GrepReport report) throws IOException {
        Deque<String> before = new ArrayDeque<>();
        StringBuilder result = new StringBuilder();
        int next = 0;
        long lastShown = 0; // the number of the last formatted line
        long after = 0; // lines still to be formatted after the last match
        long number = 0;
        String line;
        while ((line = reader.next()) != null && (next < hits.size() || after > 0)) {
            number++;
            boolean isHit = next < hits.size() && hits.get(next).number() == number;
            if (isHit) {
                if (!result.isEmpty() && !report.add(result.toString())) {
                    return;
                }
                long from = number - before.size();
                result.setLength(0);
                result.append(lastShown > 0 && from > lastShown + 1 ? "--\n" : "");
                for (String earlier : before) {
                    result.append(format('-', from++, earlier)).append('\n');
                }
                before.clear();
                result.append(format(':', number, hits.get(next++).text()));
                after = format.after();
                lastShown = number;
            } else if (after > 0) {
                result.append('\n').append(format('-', number, line));
                after--;
                lastShown = number;
            } else {
                before.add(line);
                if (before.size() > format.before()) {
                    before.remove();
                }
            }
        }
        if (!result.isEmpty()) {
            report.add(result.toString());
        }
    }

    private String format(char separator, long number, String text) {
        String place = format.lineNumbers() ? path + separator + number : path;
        return place + separator + text;
    }
}
