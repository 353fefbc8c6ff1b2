package dev.satchel.tools.grep;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole lines of UTF-8 with their numbers. A line longer than 16 MB is returned in pieces
 * with the same number.
 */
final class WholeLineReader {
    private static final int MAX_LINE = 16 * 1024 * 1024;

    private final InputStream in;
    private byte[] buffer = new byte[64 * 1024];
    private int start;
    private int end;
    private long number;
    private boolean insideLine;

    WholeLineReader(InputStream in) {
        this.in = in;
    }

    /** The next line without its line feed and a carriage return before it; null at the end. */
    @Nullable String next() throws IOException {
        int scanned = 0;
        while (true) {
            for (int i = start + scanned; i < end; i++) {
                if (buffer[i] == '\n') {
                    String line = text(i);
                    start = i + 1;
                    insideLine = false;
                    return line;
                }
            }
            scanned = end - start;
            if (scanned == MAX_LINE || !fill()) {
                return scanned == 0 ? null : rest();
            }
        }
    }

    /** Of the line that was returned last, counted from 1. */
    long number() {
        return number;
    }

    private String rest() {
        String piece = text(end);
        start = end;
        insideLine = true;
        return piece;
    }

    private String text(int lineEnd) {
        number += insideLine ? 0 : 1;
        boolean carriageReturn = lineEnd > start && buffer[lineEnd - 1] == '\r';
        int stop = carriageReturn ? lineEnd - 1 : lineEnd;
        return new String(buffer, start, stop - start, StandardCharsets.UTF_8);
    }

    private boolean fill() throws IOException {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.min(2 * buffer.length, MAX_LINE));
        }
        int read = in.read(buffer, end, buffer.length - end);
        end += Math.max(0, read);
        return read > 0;
    }
}
