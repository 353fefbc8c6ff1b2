package dev.satchel.server.workspace.files;

import dev.satchel.server.snapshot.SnapshotRetention;

/**
 * How many snapshots are kept, and how much of a comparison is sent.
 *
 * @param listedPaths of each kind, in the answer to a restored snapshot
 */
public record SnapshotLimits(SnapshotRetention retention, int listedPaths) {
    public static final SnapshotLimits STANDARD = new SnapshotLimits(SnapshotRetention.USUAL, 1000);
}
