package dev.satchel.runner.sandbox.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Measures the disk usage of one run. Measuring walks the trees, which takes time, so the free
 * space of the file system decides when to measure again.
 */
public final class DiskQuota {
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(2);

    /** Measuring takes at most this part of the time. */
    private static final int TIME_SHARE = 20;

    private static final int FREE_SHARE = 4;

    /** A tree with so few entries is measured in about a millisecond. */
    private static final int FEW_ENTRIES = 500;

    private static final DiskUsage.Sum UNKNOWN = new DiskUsage.Sum(-1, Long.MAX_VALUE);

    private final List<Path> trees;
    private final long limit;
    private final FileStore store;
    private DiskUsage.Sum used = UNKNOWN;
    private long freeWhenMeasured;
    private long nextMeasurementNanos;

    public DiskQuota(List<Path> trees, long limit) throws IOException {
        this.trees = List.copyOf(trees);
        this.limit = limit;
        store = Files.getFileStore(trees.getFirst());
    }

    public long limit() {
        return limit;
    }

    /** Whether the limit was exceeded at the last measurement and still is. */
    public synchronized boolean isStillExceeded() throws IOException {
        if (used.bytes() > limit) {
            measure();
        }
        return used.bytes() > limit;
    }

    /** Whether the limit is exceeded; measures only if much may have been written. */
    synchronized boolean isExceeded() throws IOException {
        if (isDue()) {
            measure();
        }
        return used.bytes() > limit;
    }

    /** As {@link #isExceeded}, but always measures a small tree, at the end of a command. */
    synchronized boolean isExceededAtEnd() throws IOException {
        if (used.entries() < FEW_ENTRIES) {
            measure();
        }
        return isExceeded();
    }

    private boolean isDue() throws IOException {
        if (used.equals(UNKNOWN) || System.nanoTime() - nextMeasurementNanos > 0) {
            return true;
        }
        return freeWhenMeasured - store.getUsableSpace() > (limit - used.bytes()) / FREE_SHARE;
    }

    private void measure() throws IOException {
        long start = System.nanoTime();
        freeWhenMeasured = store.getUsableSpace();
        DiskUsage.Sum sum = new DiskUsage.Sum(0, 0);
        for (Path tree : trees) {
            sum = sum.plus(DiskUsage.of(tree));
        }
        used = sum;
        long end = System.nanoTime();
        nextMeasurementNanos =
                end + Math.max(LONGEST_INTERVAL.toNanos(), (end - start) * TIME_SHARE);
    }
}
