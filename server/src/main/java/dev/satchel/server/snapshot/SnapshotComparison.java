package dev.satchel.server.snapshot;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Set;

/** Compares a snapshot with a workspace, content by content. */
final class SnapshotComparison {
    private final Manifest manifest;
    private final SafeDirectory directory;

    SnapshotComparison(Manifest manifest, SafeDirectory directory) {
        this.manifest = manifest;
        this.directory = directory;
    }

    boolean isSame() throws IOException {
        SnapshotBuilder builder = new SnapshotBuilder(directory, manifest, Set.of());
        builder.walk();
        if (builder.entries().size() + builder.pending().size() != manifest.entries().size()) {
            return false; // an entry was added or removed
        }
        for (ManifestEntry entry : builder.entries()) {
            ManifestEntry stored = manifest.get(entry.path());
            if (stored == null || !stored.sameAs(entry)) {
                return false;
            }
        }
        for (WorkspaceEntry file : builder.pending()) {
            if (!isStored(file)) {
                return false;
            }
        }
        return true;
    }

    /** Times may differ. */
    private boolean isStored(WorkspaceEntry file) throws IOException {
        ManifestEntry stored = manifest.get(file.path());
        if (stored == null
                || stored.content() == null
                || stored.stat().size() != file.stat().size()
                || stored.stat().mode() != file.stat().mode()) {
            return false;
        }
        try (OpenFile open = directory.open(file.path())) {
            return ContentHash.of(Channels.newInputStream(open.channel()))
                    .equals(stored.requireContent().hash());
        }
    }
}
