package dev.satchel.server.workspace.files;

import dev.satchel.server.snapshot.SnapshotRetention;

/**
 * How many snapshots are kept, how much of a comparison is sent, and how large an import may make a
 * workspace.
 *
 * @param listedPaths of each kind, in the answer to a restored snapshot
 * @param diffBytes of one version of a file whose text is compared
 * @param bytes of a workspace, as a sandbox measures it
 * @param entries files and directories of a workspace
 */
public record WorkspaceLimits(
        SnapshotRetention retention, int listedPaths, long diffBytes, long bytes, int entries) {
    public static final WorkspaceLimits STANDARD =
            new WorkspaceLimits(SnapshotRetention.USUAL, 1000, 1024 * 1024, 2L << 30, 524_288);
}
