package dev.satchel.runner.tool;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** How many lines a text has, and where every so manieth begins. */
final class LineIndex {
    /** Lines between two remembered offsets; each costs eight bytes. */
    private static final int STRIDE = 1024;

    /** Bytes counted at a time, before looking where exactly an offset must be noted. */
    private static final int SLICE = 4 * 1024;

    private long[] offsets = new long[16];
    private int known = 1; // the first line begins at 0
    private long feeds;
    private boolean open;

    private LineIndex() {}

    static LineIndex of(InputStream text) throws IOException {
        LineIndex index = new LineIndex();
        byte[] buffer = new byte[128 * 1024];
        long total = 0;
        int read;
        while ((read = text.read(buffer)) >= 0) {
            for (int from = 0; from < read; from += SLICE) {
                index.add(buffer, from, Math.min(from + SLICE, read), total);
            }
            total += read;
        }
        return index;
    }

    private void add(byte[] buffer, int from, int to, long before) {
        int start = from;
        while (true) {
            long wanted = (long) known * STRIDE - feeds;
            int here = LineFeeds.count(buffer, start, to);
            if (here < wanted) {
                feeds += here;
                break;
            }
            start = LineFeeds.nth(buffer, start, wanted) + 1;
            feeds += wanted;
            if (known == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * known);
            }
            offsets[known++] = before + start;
        }
        open = buffer[to - 1] != '\n';
    }

    /** Text after the last line feed is a line, too. */
    long lines() {
        return feeds + (open ? 1 : 0);
    }

    /** Where to begin reading for a line counted from 1, and how many lines to pass over there. */
    Start startOf(long line) {
        int nearest = (int) Math.min((line - 1) / STRIDE, known - 1L);
        return new Start(offsets[nearest], line - 1 - (long) nearest * STRIDE);
    }

    record Start(long offset, long skip) {}
}
