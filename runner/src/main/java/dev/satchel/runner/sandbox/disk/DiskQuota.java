package dev.satchel.runner.sandbox.disk;

import dev.satchel.filesystem.linux.FileSystemCalls;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Measures the disk usage of one run: its trees, and the deleted files that its processes have
 * open. Measuring takes time, so the free space and the free inodes of the file system decide when
 * to measure again.
 */
public final class DiskQuota {
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(2);

    /** Measuring takes at most this part of the time. */
    private static final int TIME_SHARE = 20;

    private static final int FREE_SHARE = 4;

    /** A tree with so few entries is measured in about a millisecond. */
    private static final int FEW_ENTRIES = 500;

    private static final DiskUsage.Sum UNKNOWN = new DiskUsage.Sum(-1, -1);

    private final List<Path> trees;
    private final Limit limit;
    private final ProcessList processes;
    private final FileStore store;
    private DiskUsage.Sum used = UNKNOWN;
    private long freeWhenMeasured;
    private long inodesWhenMeasured;
    private long nextMeasurementNanos;

    public DiskQuota(List<Path> trees, Limit limit, ProcessList processes) throws IOException {
        this.trees = List.copyOf(trees);
        this.limit = limit;
        this.processes = processes;
        store = Files.getFileStore(trees.getFirst());
    }

    /** What a run may use; entries are files and directories. */
    public record Limit(long bytes, long entries) {}

    /** The ids of the processes of the run, at the moment. */
    @FunctionalInterface
    public interface ProcessList {
        Collection<Long> ids() throws IOException;
    }

    /** No file may be larger. */
    public long limit() {
        return limit.bytes();
    }

    /** Whether the limit was exceeded at the last measurement and still is. */
    public synchronized boolean isStillExceeded() throws IOException {
        if (isOver()) {
            measure();
        }
        return isOver();
    }

    /** Whether the limit is exceeded; measures only if much may have been written. */
    synchronized boolean isExceeded() throws IOException {
        if (isDue()) {
            measure();
        }
        return isOver();
    }

    /** As {@link #isExceeded}, but always measures a small tree, at the end of a command. */
    synchronized boolean isExceededAtEnd() throws IOException {
        if (used.entries() < FEW_ENTRIES) { // also if it was never measured
            measure();
        }
        return isExceeded();
    }

    private boolean isOver() {
        return used.bytes() > limit.bytes() || used.entries() > limit.entries();
    }

    private boolean isDue() throws IOException {
        if (used.equals(UNKNOWN) || System.nanoTime() - nextMeasurementNanos > 0) {
            return true;
        }
        long written = freeWhenMeasured - store.getUsableSpace();
        long created = inodesWhenMeasured - freeInodes();
        return written > (limit.bytes() - used.bytes()) / FREE_SHARE
                || created > (limit.entries() - used.entries()) / FREE_SHARE;
    }

    private void measure() throws IOException {
        long start = System.nanoTime();
        freeWhenMeasured = store.getUsableSpace();
        inodesWhenMeasured = freeInodes();
        DiskUsage.Sum sum = new DiskUsage.Sum(0, 0);
        for (Path tree : trees) {
            sum = sum.plus(DiskUsage.of(tree, limit.entries() - sum.entries()));
        }
        used = sum.plus(DeletedFiles.bytes(processes.ids(), trees));
        long end = System.nanoTime();
        nextMeasurementNanos =
                end + Math.max(LONGEST_INTERVAL.toNanos(), (end - start) * TIME_SHARE);
    }

    private long freeInodes() {
        return FileSystemCalls.freeInodes(trees.getFirst().toString());
    }
}
