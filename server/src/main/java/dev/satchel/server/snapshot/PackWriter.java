package dev.satchel.server.snapshot;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Stores contents in packs that are small enough to be replaced one by one. */
record PackWriter(ObjectStore objects, SafeDirectory directory) {
    private static final long PACK_BYTES = 64L * 1024 * 1024;

    List<Pack> pack(SnapshotService.Origin origin, SnapshotId id, SnapshotBuilder builder)
            throws IOException {
        List<Pack> packs = new ArrayList<>();
        KnownContents known = builder.known();
        for (List<WorkspacePath> files : groups(builder.pending())) {
            String name = id.value() + "/pack-" + packs.size();
            try (PackInputStream stream = new PackInputStream(directory, name, files, known)) {
                if (stream.hasBytes()) {
                    objects.put(origin.key(name), stream);
                    packs.add(new Pack(name, stream.size()));
                }
                stream.packed().forEach(builder::packed);
            }
        }
        return packs;
    }

    private static List<List<WorkspacePath>> groups(List<WorkspaceEntry> pending) {
        List<List<WorkspacePath>> groups = new ArrayList<>();
        List<WorkspacePath> group = new ArrayList<>();
        long bytes = 0;
        for (WorkspaceEntry entry : pending) {
            if (!group.isEmpty() && bytes + entry.stat().size() > PACK_BYTES) {
                groups.add(group);
                group = new ArrayList<>();
                bytes = 0;
            }
            group.add(entry.path());
            bytes += entry.stat().size();
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return groups;
    }
}
