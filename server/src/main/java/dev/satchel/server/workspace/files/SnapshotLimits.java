package dev.satchel.server.workspace.files;

import dev.satchel.server.snapshot.SnapshotRetention;

/**
 * How many snapshots are kept, and how much of a comparison is sent.
 *
 * @param listedPaths of each kind, in the answer to a restored snapshot
 * @param diffBytes of one version of a file whose text is compared
 */
public record SnapshotLimits(SnapshotRetention retention, int listedPaths, long diffBytes) {
    public static final SnapshotLimits STANDARD =
            new SnapshotLimits(SnapshotRetention.USUAL, 1000, 1024 * 1024);
}
