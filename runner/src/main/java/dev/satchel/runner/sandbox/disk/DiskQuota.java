package dev.satchel.runner.sandbox.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Knows how much of its disk one run has used. Walking the trees is what counts but costs; the file
 * system's free space costs nothing and says when a walk is due.
 */
public final class DiskQuota {
    private static final Duration LONGEST_BETWEEN_WALKS = Duration.ofSeconds(2);

    /** A walk may take at most this part of the time. */
    private static final int WALK_SHARE = 20;

    private static final int ROOM_SHARE = 4;

    /** A tree of so few entries is walked in about a millisecond. */
    private static final int FEW_ENTRIES = 500;

    private static final DiskUsage.Sum UNKNOWN = new DiskUsage.Sum(-1, Long.MAX_VALUE);

    private final List<Path> trees;
    private final long limit;
    private final FileStore store;
    private DiskUsage.Sum used = UNKNOWN;
    private long freeAtWalk;
    private long nextWalkNanos;

    public DiskQuota(List<Path> trees, long limit) throws IOException {
        this.trees = List.copyOf(trees);
        this.limit = limit;
        store = Files.getFileStore(trees.getFirst());
    }

    public long limit() {
        return limit;
    }

    /** Whether the run was over its limit when it was last measured and still is. */
    public synchronized boolean stillOver() throws IOException {
        if (used.bytes() > limit) {
            walk();
        }
        return used.bytes() > limit;
    }

    /** Whether the run is over its limit, measured only if it may have written much. */
    synchronized boolean over() throws IOException {
        if (due()) {
            walk();
        }
        return used.bytes() > limit;
    }

    /** As {@link #over}, but a small tree is always measured: a command has just ended. */
    synchronized boolean overAtEnd() throws IOException {
        if (used.entries() < FEW_ENTRIES) {
            walk();
        }
        return over();
    }

    private boolean due() throws IOException {
        if (used.equals(UNKNOWN) || System.nanoTime() - nextWalkNanos > 0) {
            return true;
        }
        return freeAtWalk - store.getUsableSpace() > (limit - used.bytes()) / ROOM_SHARE;
    }

    private void walk() throws IOException {
        long start = System.nanoTime();
        freeAtWalk = store.getUsableSpace();
        DiskUsage.Sum sum = new DiskUsage.Sum(0, 0);
        for (Path tree : trees) {
            sum = sum.plus(DiskUsage.of(tree));
        }
        used = sum;
        long end = System.nanoTime();
        nextWalkNanos = end + Math.max(LONGEST_BETWEEN_WALKS.toNanos(), (end - start) * WALK_SHARE);
    }
}
