package dev.satchel.runner.tool;

import dev.satchel.runner.regex.LineFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the matching lines of one text, block after block. Where the regex names text that must be
 * there, a block is searched for that as bytes; a filter over bytes tells most other lines that
 * cannot match, and only what is left is decoded.
 */
final class BlockSearch {
    /** After so many lines that are no further apart than that, text tells little about lines. */
    private static final int FEW = 4;

    private static final int FAR = 1024;

    private final LineMatcher matcher;
    private final @Nullable LineFilter filter;
    private final @Nullable LineNumbers numbers;
    private final LineScanner.Hits hits;
    private final Deadline deadline;
    private byte[] block = new byte[0];
    private long offset;

    /** Without numbers every line is said to be line 0, and no line feed is counted. */
    BlockSearch(
            LineMatcher matcher,
            @Nullable LineNumbers numbers,
            LineScanner.Hits hits,
            Deadline deadline) {
        this.matcher = matcher;
        this.filter = matcher.filter();
        this.numbers = numbers;
        this.hits = hits;
        this.deadline = deadline;
    }

    /** Searches the first bytes of a block, which end where a line ends; false ends the search. */
    boolean search(byte[] bytes, long where, int length) throws IOException {
        block = bytes;
        offset = where;
        boolean more = matcher.literals().isEmpty() ? filtered(0, length) : literals(length);
        if (more && numbers != null) {
            numbers.leave(block, offset, length);
        }
        return more;
    }

    private boolean literals(int length) throws IOException {
        int[] next = new int[matcher.literals().size()];
        Arrays.fill(next, -1);
        int at = 0;
        int lines = 0;
        while ((at = nearest(next, at, length)) < length) {
            if (filter != null && ++lines > FEW && lines * (long) FAR > at) {
                return filtered(lineStart(at), length);
            }
            int start = lineStart(at);
            int end = lineEnd(at, length);
            boolean may = filter == null || filter.find(block, start, end) >= 0;
            if (may && !line(start, end, matcher.plain())) {
                return false;
            }
            at = end + 1;
        }
        return true;
    }

    private boolean filtered(int from, int length) throws IOException {
        if (filter == null) {
            return everyLine(length);
        }
        int at = filter.find(block, from, length);
        while (at >= 0) {
            int end = lineEnd(at, length);
            if (!line(lineStart(at), end, false)) {
                return false;
            }
            at = end < length ? filter.find(block, end + 1, length) : -1;
        }
        return true;
    }

    /** The nearest place of any literal; {@code next} keeps where each was found last. */
    private int nearest(int[] next, int from, int length) {
        int nearest = length;
        for (int i = 0; i < next.length; i++) {
            if (next[i] < from) {
                int found = matcher.literals().get(i).find(block, from, length);
                next[i] = found < 0 ? length : found;
            }
            nearest = Math.min(nearest, next[i]);
        }
        return nearest;
    }

    private boolean everyLine(int length) throws IOException {
        int start = 0;
        while (start < length) {
            int end = lineEnd(start, length);
            if (!line(start, end, false)) {
                return false;
            }
            start = end + 1;
        }
        return true;
    }

    private boolean line(int start, int end, boolean sure) throws IOException {
        int stop = end > start && block[end - 1] == '\r' ? end - 1 : end;
        String line = new String(block, start, stop - start, StandardCharsets.UTF_8);
        boolean needless = sure && line.length() <= LineReader.MAX_CHARACTERS;
        int match = needless ? 0 : matcher.find(line, deadline);
        if (match < 0) {
            deadline.check();
            return true;
        }
        return hits.hit(numbers == null ? 0 : numbers.of(block, offset, start), line, match);
    }

    private int lineStart(int at) {
        int start = at;
        while (start > 0 && block[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    private int lineEnd(int at, int length) {
        int end = at;
        while (end < length && block[end] != '\n') {
            end++;
        }
        return end;
    }
}
