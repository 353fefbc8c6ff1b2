package dev.satchel.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of UTF-8, without the line feed and a carriage return before it. Of a long line only
 * the beginning is returned, so that memory is bounded.
 */
public final class LineReader {
    public static final int MAX_CHARACTERS = 2000;
    private static final String CUT = "... (line truncated to 2000 chars)";
    private static final int KEPT_BYTES = 4 * MAX_CHARACTERS + 4;

    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];
    private final byte[] kept = new byte[KEPT_BYTES];
    private int position;
    private int limit;

    public LineReader(InputStream in) {
        this.in = in;
    }

    /** The next line, cut when too long, or null at the end. */
    public @Nullable String next() throws IOException {
        int length = 0;
        boolean any = false;
        boolean carriageReturn = false;
        while (true) {
            if (position == limit && !fill()) {
                return any ? text(length) : null;
            }
            any = true;
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            length = keep(length, end);
            if (end > position) {
                carriageReturn = buffer[end - 1] == '\r';
            }
            boolean whole = end < limit;
            position = whole ? end + 1 : end;
            if (whole) {
                boolean drop = carriageReturn && length > 0 && length < KEPT_BYTES;
                return text(drop ? length - 1 : length);
            }
        }
    }

    /** Skips lines. */
    public void skip(long lines) throws IOException {
        long left = lines;
        while (left > 0 && (position < limit || fill())) {
            while (left > 0 && position < limit) {
                if (buffer[position++] == '\n') {
                    left--;
                }
            }
        }
    }

    private int keep(int length, int end) {
        int count = Math.min(end - position, KEPT_BYTES - length);
        System.arraycopy(buffer, position, kept, length, count);
        return length + count;
    }

    private String text(int length) {
        return cut(new String(Arrays.copyOf(kept, length), StandardCharsets.UTF_8));
    }

    /** A line, or the beginning of a long one with a note. */
    public static String cut(String line) {
        if (line.length() <= MAX_CHARACTERS) {
            return line;
        }
        boolean splits = Character.isHighSurrogate(line.charAt(MAX_CHARACTERS - 1));
        return line.substring(0, splits ? MAX_CHARACTERS - 1 : MAX_CHARACTERS) + CUT;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }
}
