package dev.satchel.server.snapshot;

import dev.satchel.filesystem.SafeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Restores a snapshot into an empty directory: files first, then links, so that nothing is written
 * through one, and modes and times of directories last.
 */
public final class SnapshotRestorer {
    private final SnapshotService snapshots;

    public SnapshotRestorer(SnapshotService snapshots) {
        this.snapshots = snapshots;
    }

    public void into(Path folder, Snapshot snapshot) throws IOException {
        try (SafeDirectory directory = SafeDirectory.open(folder)) {
            into(directory, snapshot);
        }
    }

    private void into(SafeDirectory directory, Snapshot snapshot) throws IOException {
        List<ManifestEntry> directories = new ArrayList<>();
        List<ManifestEntry> links = new ArrayList<>();
        List<ManifestEntry> files = new ArrayList<>();
        for (ManifestEntry entry : snapshots.manifest(snapshot).entries()) {
            switch (entry.stat().kind()) {
                case DIRECTORY -> {
                    directory.createDirectories(entry.path());
                    directories.add(entry);
                }
                case LINK -> links.add(entry);
                case FILE -> files.add(entry);
                case OTHER -> throw new IOException("not a file or link: " + entry.path());
            }
        }
        SnapshotUnpacker unpacker = new SnapshotUnpacker(snapshots, directory, snapshot);
        unpacker.files(files);
        for (ManifestEntry link : links) {
            unpacker.link(link);
        }
        for (ManifestEntry entry : directories.reversed()) {
            unpacker.attributes(entry);
        }
    }
}
