package dev.satchel.documents.pdf;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Makes text of a page whose lines are laid out with spaces as on paper. Columns of prose become
 * one after the other; columns of a table stay on their line, with {@code |} between them.
 */
final class PageLayout {
    private static final int MAX_COLUMNS_DEPTH = 3;
    private static final int FEWEST_ROWS = 6;
    private static final int SHORTEST_PROSE = 18;
    private static final int GUTTER = 2;
    private static final Pattern WIDE_GAP = Pattern.compile("\\s{3,}");
    private static final Pattern DIRECTION_MARKS =
            Pattern.compile("[\\u200e\\u200f\\u202a-\\u202e]");

    private PageLayout() {}

    static String text(String page) {
        StringBuilder out = new StringBuilder(page.length());
        List<String> lines = new ArrayList<>();
        for (String line : DIRECTION_MARKS.matcher(page).replaceAll("").split("\n", -1)) {
            lines.add(line.stripTrailing());
        }
        write(lines, 0, out);
        return out.toString().strip();
    }

    /** Writes columns one after the other if there are any, else the lines. */
    private static void write(List<String> lines, int depth, StringBuilder out) {
        int gutter = depth < MAX_COLUMNS_DEPTH ? gutter(lines) : -1;
        if (gutter < 0) {
            for (String line : lines) {
                writeLine(line, out);
            }
            return;
        }
        List<String> band = new ArrayList<>();
        for (String line : lines) {
            if (crosses(line, gutter)) {
                writeBand(band, gutter, depth, out);
                writeLine(line, out);
            } else {
                band.add(line);
            }
        }
        writeBand(band, gutter, depth, out);
    }

    /** Lines between two that are as wide as the page. */
    private static void writeBand(List<String> band, int gutter, int depth, StringBuilder out) {
        if (band.isEmpty()) {
            return;
        }
        write(band.stream().map(line -> left(line, gutter)).toList(), depth + 1, out);
        out.append('\n');
        write(band.stream().map(line -> right(line, gutter)).toList(), depth + 1, out);
        out.append('\n');
        band.clear();
    }

    private static void writeLine(String line, StringBuilder out) {
        String text = line.strip();
        int length = out.length();
        if (text.isEmpty()) {
            if (length > 1 && out.charAt(length - 1) == '\n' && out.charAt(length - 2) != '\n') {
                out.append('\n');
            }
            return;
        }
        out.append(WIDE_GAP.matcher(text).replaceAll(" | ")).append('\n');
    }

    /** A place where most lines have a gap with prose on both sides; -1 if there is none. */
    private static int gutter(List<String> lines) {
        int width = lines.stream().mapToInt(String::length).max().orElse(0);
        int best = -1;
        int bestRows = 0;
        int[] both = new int[width + 1];
        int[] crossing = new int[width + 1];
        for (String line : lines) {
            count(line, both, crossing);
        }
        for (int x = width / 5; x < width * 4 / 5; x++) {
            boolean isClear = crossing[x] * 4 <= both[x];
            if (isClear && both[x] > bestRows) {
                best = x;
                bestRows = both[x];
            }
        }
        return bestRows >= FEWEST_ROWS && isProse(lines, best) ? best : -1;
    }

    /** Adds to both where the line has a wide gap inside, to crossing where it has text. */
    private static void count(String line, int[] both, int[] crossing) {
        int length = line.length();
        int x = 0;
        while (x < length && line.charAt(x) == ' ') {
            x++;
        }
        while (x < length) {
            int start = x;
            while (x < length && line.charAt(x) == ' ') {
                x++;
            }
            boolean isGap = x - start >= GUTTER;
            for (int i = start; i < x; i++) {
                (isGap ? both : crossing)[i]++;
            }
            while (x < length && line.charAt(x) != ' ') {
                crossing[x++]++;
            }
        }
    }

    /** Whether the texts on both sides of a gap are long, so that it is no table. */
    private static boolean isProse(List<String> lines, int gutter) {
        int rows = 0;
        long leftChars = 0;
        long rightChars = 0;
        int gaps = 0;
        for (String line : lines) {
            if (line.length() <= gutter || crosses(line, gutter)) {
                continue;
            }
            String left = left(line, gutter).strip();
            String right = right(line, gutter).strip();
            if (left.isEmpty() || right.isEmpty()) {
                continue;
            }
            rows++;
            leftChars += left.length();
            rightChars += right.length();
            gaps += WIDE_GAP.matcher(left).find() ? 1 : 0;
        }
        return rows >= FEWEST_ROWS
                && leftChars / rows >= SHORTEST_PROSE
                && rightChars / rows >= SHORTEST_PROSE
                && gaps * 4 <= rows;
    }

    private static boolean crosses(String line, int x) {
        if (x >= line.length()) {
            return false;
        }
        boolean isText = line.charAt(x) != ' ';
        boolean isSpaceBetweenWords =
                x > 0
                        && x + 1 < line.length()
                        && line.charAt(x - 1) != ' '
                        && line.charAt(x + 1) != ' ';
        return isText || isSpaceBetweenWords;
    }

    private static String left(String line, int gutter) {
        return line.length() <= gutter ? line : line.substring(0, gutter);
    }

    private static String right(String line, int gutter) {
        return line.length() <= gutter ? "" : line.substring(gutter);
    }
}
