package dev.satchel.tools.view;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The number of lines of a text, and the offset of every 1024th line. */
final class LineIndex {
    private static final int STRIDE = 1024;

    private long[] offsets = new long[16];
    private int known = 1; // the first line begins at 0
    private long lineFeeds;
    private boolean endsWithLineFeed = true;

    /** Where to begin reading for a line, and how many lines to skip from there. */
    record Start(long offset, long skip) {}

    private LineIndex() {}

    static LineIndex of(InputStream text) throws IOException {
        LineIndex index = new LineIndex();
        byte[] buffer = new byte[128 * 1024];
        long total = 0;
        int read;
        while ((read = text.read(buffer)) >= 0) {
            index.add(buffer, read, total);
            total += read;
        }
        return index;
    }

    private void add(byte[] buffer, int length, long before) {
        for (int i = 0; i < length; i++) {
            if (buffer[i] == '\n' && ++lineFeeds % STRIDE == 0) {
                if (known == offsets.length) {
                    offsets = Arrays.copyOf(offsets, 2 * known);
                }
                offsets[known++] = before + i + 1;
            }
        }
        if (length > 0) {
            endsWithLineFeed = buffer[length - 1] == '\n';
        }
    }

    /** Text after the last line feed counts as a line. */
    long lines() {
        return lineFeeds + (endsWithLineFeed ? 0 : 1);
    }

    /** The argument is counted from 1. */
    Start startOf(long line) {
        int nearest = (int) Math.min((line - 1) / STRIDE, known - 1L);
        return new Start(offsets[nearest], line - 1 - (long) nearest * STRIDE);
    }
}
