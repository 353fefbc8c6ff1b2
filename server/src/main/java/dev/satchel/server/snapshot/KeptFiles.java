package dev.satchel.server.snapshot;

import dev.satchel.runner.workspace.OpenFile;
import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.runner.workspace.WorkspaceEntry;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Set;

/** Tells whether a snapshot holds a workspace as it is now, content by content. */
final class KeptFiles {
    private final Manifest manifest;
    private final SafeDirectory directory;

    KeptFiles(Manifest manifest, SafeDirectory directory) {
        this.manifest = manifest;
        this.directory = directory;
    }

    boolean areAll() throws IOException {
        SnapshotDraft draft = new SnapshotDraft(directory, manifest, Set.of());
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
