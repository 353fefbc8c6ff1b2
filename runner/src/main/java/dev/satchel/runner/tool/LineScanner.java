package dev.satchel.runner.tool;

import dev.satchel.runner.regex.LineFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the matching lines of a text. Where the regex names text that must be there, whole blocks
 * are searched for that as bytes; a filter over bytes tells most other lines that cannot match, and
 * only what is left is decoded. Line feeds are counted only up to a match.
 */
final class LineScanner {
    private static final int BLOCK = 64 * 1024;

    /** A longer line is searched in pieces. */
    private static final int MAX_LINE = 16 * 1024 * 1024;

    /** Hears of a matching line; false ends the search of this text. */
    interface Hits {
        boolean hit(long number, String line, int match);
    }

    private final LineMatcher matcher;
    private final @Nullable LineFilter filter;
    private final Deadline deadline;
    private final boolean numbers;
    private byte[] buffer = new byte[BLOCK];

    /** Without numbers every line is said to be line 0, and no line feed is counted. */
    LineScanner(LineMatcher matcher, boolean numbers, Deadline deadline) {
        this.matcher = matcher;
        this.filter = matcher.filter();
        this.numbers = numbers;
        this.deadline = deadline;
    }

    /** One scanner serves many texts, one after the other. */
    void scan(InputStream text, Hits hits) throws IOException {
        Pass pass = new Pass(hits);
        int length = 0;
        while (true) {
            deadline.check();
            int read = text.read(buffer, length, buffer.length - length);
            if (read < 0) {
                pass.search(length);
                return;
            }
            length += read;
            int whole = afterLastFeed(length, length - read);
            if (whole == 0 && length < buffer.length) {
                continue;
            }
            if (whole == 0 && buffer.length < MAX_LINE) {
                buffer = Arrays.copyOf(buffer, 2 * buffer.length);
                continue;
            }
            int done = whole == 0 ? length : whole;
            if (!pass.search(done)) {
                return;
            }
            System.arraycopy(buffer, done, buffer, 0, length - done);
            length -= done;
        }
    }

    private int afterLastFeed(int length, int from) {
        for (int i = length; i > from; i--) {
            if (buffer[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }

    /** The state of one text: how many line feeds lie before what is counted so far. */
    private final class Pass {
        private final Hits hits;
        private long feeds;
        private int counted;

        Pass(Hits hits) {
            this.hits = hits;
        }

        /** Searches the first bytes of the buffer; they end where a line ends. */
        boolean search(int length) {
            counted = 0;
            boolean more = matcher.literals().isEmpty() ? filtered(length) : literals(length);
            feeds += more && numbers ? LineFeeds.count(buffer, counted, length) : 0;
            return more;
        }

        private boolean literals(int length) {
            int[] next = new int[matcher.literals().size()];
            Arrays.fill(next, -1);
            int at = 0;
            while ((at = nearest(next, at, length)) < length) {
                int start = lineStart(at);
                int end = lineEnd(at, length);
                boolean may = filter == null || filter.find(buffer, start, end) >= 0;
                if (may && !line(start, end, matcher.plain())) {
                    return false;
                }
                at = end + 1;
            }
            return true;
        }

        private boolean filtered(int length) {
            if (filter == null) {
                return everyLine(length);
            }
            int at = filter.find(buffer, 0, length);
            while (at >= 0) {
                int end = lineEnd(at, length);
                if (!line(lineStart(at), end, false)) {
                    return false;
                }
                at = end < length ? filter.find(buffer, end + 1, length) : -1;
            }
            return true;
        }

        /** The nearest place of any literal; {@code next} keeps where each was found last. */
        private int nearest(int[] next, int from, int length) {
            int nearest = length;
            for (int i = 0; i < next.length; i++) {
                if (next[i] < from) {
                    int found = matcher.literals().get(i).find(buffer, from, length);
                    next[i] = found < 0 ? length : found;
                }
                nearest = Math.min(nearest, next[i]);
            }
            return nearest;
        }

        private boolean everyLine(int length) {
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

        private boolean line(int start, int end, boolean sure) {
            int stop = end > start && buffer[end - 1] == '\r' ? end - 1 : end;
            String line = new String(buffer, start, stop - start, StandardCharsets.UTF_8);
            boolean needless = sure && line.length() <= LineReader.MAX_CHARACTERS;
            int match = needless ? 0 : matcher.find(line, deadline);
            if (match < 0) {
                deadline.check();
                return true;
            }
            if (!numbers) {
                return hits.hit(0, line, match);
            }
            feeds += LineFeeds.count(buffer, counted, start);
            counted = start;
            return hits.hit(feeds + 1, line, match);
        }
    }

    private int lineStart(int at) {
        int start = at;
        while (start > 0 && buffer[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    private int lineEnd(int at, int length) {
        int end = at;
        while (end < length && buffer[end] != '\n') {
            end++;
        }
        return end;
    }
}
