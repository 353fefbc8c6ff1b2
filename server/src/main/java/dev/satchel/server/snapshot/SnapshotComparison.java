package dev.satchel.server.snapshot;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Set;

/** Tells whether a snapshot holds a workspace as it is now, content by content. */
final class SnapshotComparison {
    private final Manifest manifest;
    private final SafeDirectory directory;

    SnapshotComparison(Manifest manifest, SafeDirectory directory) {
        this.manifest = manifest;
        this.directory = directory;
    }

    boolean areAll() throws IOException {
        SnapshotBuilder draft = new SnapshotBuilder(directory, manifest, Set.of());
        draft.walk();
        if (draft.entries().size() + draft.pending().size() != manifest.entries().size()) {
            return false; // something was added or taken away
        }
        for (ManifestEntry entry : draft.entries()) {
            ManifestEntry kept = manifest.get(entry.path());
            if (kept == null || !kept.sameAs(entry)) {
                return false;
            }
        }
        for (WorkspaceEntry file : draft.pending()) {
            if (!isKept(file)) {
                return false;
            }
        }
        return true;
    }

    /** A file whose times alone differ is kept all the same. */
    private boolean isKept(WorkspaceEntry file) throws IOException {
        ManifestEntry kept = manifest.get(file.path());
        if (kept == null
                || kept.content() == null
                || kept.stat().size() != file.stat().size()
                || kept.stat().mode() != file.stat().mode()) {
            return false;
        }
        try (OpenFile open = directory.open(file.path())) {
            return ContentHash.of(Channels.newInputStream(open.channel()))
                    .equals(kept.requireContent().hash());
        }
    }
}
