package dev.satchel.bench.report;

import java.util.Arrays;

/** The single measurements of one round, in nanoseconds. */
public final class Samples {
    private static final double NANOS_PER_MILLISECOND = 1_000_000;

    private long[] nanos = new long[64];
    private int count;

    public Samples add(long value) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = value;
        return this;
    }

    public int count() {
        return count;
    }

    public double medianMillis() {
        return percentileMillis(50);
    }

    /** The smallest measurement that at least so many percent do not exceed. */
    public double percentileMillis(int percent) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = Math.ceilDiv(percent * count, 100);
        return sorted[Math.max(rank, 1) - 1] / NANOS_PER_MILLISECOND;
    }
}
