package dev.satchel.filesystem;

import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tree that is being walked, by one or by many at the same time. A walk takes over what another
 * began to read after it had begun itself: that is no older than what it would have read.
 */
final class SharedTreeRead {
    private final AtomicLong numbers = new AtomicLong();
    private final NavigableSet<Long> walks = new ConcurrentSkipListSet<>();
    private final Map<WorkspacePath, DirectoryRead> newest = new ConcurrentHashMap<>();

    /** Returns the number of a new walk. */
    long begin() {
        long walk = numbers.incrementAndGet();
        walks.add(walk);
        return walk;
    }

    /** Lets go of what is too old for the walks that are left. */
    void end(long walk) {
        walks.remove(walk);
        Long oldest = walks.isEmpty() ? null : walks.first();
        newest.values().removeIf(reading -> oldest == null || reading.number() < oldest);
    }

    boolean isIdle() {
        return walks.isEmpty();
    }

    /**
     * A reading that is new enough for a walk; made already or by somebody else or here and now.
     */
    DirectoryRead reading(WorkspacePath path, long walk, DirectoryRead.Reader reader) {
        DirectoryRead mine = new DirectoryRead(numbers.incrementAndGet(), walk);
        DirectoryRead newer =
                newest.merge(path, mine, (old, made) -> old.number() > walk ? old : made);
        if (newer == mine) {
            mine.make(reader, path);
        }
        return newer;
    }
}
