package dev.satchel.server.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How many snapshots of a workspace are kept, and for how long; the newest always is, the one that
 * the files of a tip of a branch are in, and those that people share.
 */
public record SnapshotRetention(int count, Duration age) {
    public static final SnapshotRetention USUAL = new SnapshotRetention(50, Duration.ofDays(90));

    public SnapshotRetention {
        if (count < 1 || age.isNegative()) {
            throw new IllegalArgumentException("the newest snapshot is always kept");
        }
    }

    /** Selects from snapshots in the order newest first. */
    List<Snapshot> kept(List<Snapshot> all, long now) {
        List<Snapshot> kept = new ArrayList<>();
        for (Snapshot snapshot : all) {
            boolean recent = snapshot.createdAt() >= now - age.toMillis();
            if (kept.isEmpty() || (recent && kept.size() < count)) {
                kept.add(snapshot);
            }
        }
        return kept;
    }
}
