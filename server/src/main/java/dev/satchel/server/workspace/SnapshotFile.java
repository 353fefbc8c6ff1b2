package dev.satchel.server.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.server.snapshot.ManifestEntry;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotService;
import java.io.IOException;
import java.io.InputStream;

/** A file of a snapshot; its hash is its entity tag. */
record SnapshotFile(SnapshotService snapshots, Snapshot snapshot, ManifestEntry entry)
        implements WorkspaceFile {
    @Override
    public FileStat stat() {
        return entry.stat();
    }

    @Override
    public String etag() {
        return "sha256-" + entry.requireContent().hash().hex();
    }

    @Override
    public InputStream open(long offset, long length) throws IOException {
        return snapshots.content(snapshot, entry, offset);
    }

    @Override
    public void close() {
        // the stream that open returns is closed by its reader
    }
}
