package dev.satchel.runner.tool;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Writes the matching lines of one file, with the lines around them when asked. */
final class GrepLines {
    private static final int WIDTH = LineReader.MAX_CHARACTERS;

    private final String path;
    private final GrepQuery.Shape shape;

    record Hit(long number, String text) {}

    GrepLines(String path, GrepQuery.Shape shape) {
        this.path = path;
        this.shape = shape;
    }

    String hit(long number, String line, int match) {
        return write(':', number, window(line, match));
    }

    /** A line too long is cut to a window around its match. */
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

    /** Each match goes into the report as one result together with what leads up to it. */
    void withContext(List<Hit> hits, LineReader reader, GrepReport report) throws IOException {
        Deque<String> before = new ArrayDeque<>();
        StringBuilder result = new StringBuilder();
        int next = 0;
        long shownUntil = 0; // the last line written so far
        long after = 0; // lines to be written after the last match
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
                result.append(shownUntil > 0 && from > shownUntil + 1 ? "--\n" : "");
                for (String earlier : before) {
                    result.append(write('-', from++, earlier)).append('\n');
                }
                before.clear();
                result.append(write(':', number, hits.get(next++).text()));
                after = shape.after();
                shownUntil = number;
            } else if (after > 0) {
                result.append('\n').append(write('-', number, line));
                after--;
                shownUntil = number;
            } else {
                before.add(line);
                if (before.size() > shape.before()) {
                    before.remove();
                }
            }
        }
        if (!result.isEmpty()) {
            report.add(result.toString());
        }
    }

    private String write(char separator, long number, String text) {
        String place = shape.numbers() ? path + separator + number : path;
        return place + separator + text;
    }
}
