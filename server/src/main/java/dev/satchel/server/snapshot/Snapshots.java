package dev.satchel.server.snapshot;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.runner.workspace.WorkspaceEntry;
import dev.satchel.runner.workspace.WorkspacePath;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots and finds them again. Packs first, then the manifest, last the row: killed
 * anywhere on the way, the snapshot before is whole and the newest, and what was stored in vain is
 * swept up later.
 */
public final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final long PACK_BYTES = 64L * 1024 * 1024;

    /** A pack used for less than this part of it is given up. */
    private static final int THIN = 4;

    private final Database database;
    private final SnapshotStore store;
    private final ObjectStore objects;
    private final Retention retention;
    private final Clock clock;

    public Snapshots(
            Database database,
            SnapshotStore store,
            ObjectStore objects,
            Retention retention,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.retention = retention;
        this.clock = clock;
    }

    /** Whose workspace, and at the end of which turn. */
    public record Occasion(
            TenantId tenant,
            ConversationId conversation,
            long generation,
            @Nullable String runId) {}

    /**
     * Keeps the workspace as it is now. Empty when a later turn has been kept already. Reads
     * without any lock, so whoever calls sees to it that nobody writes meanwhile.
     */
    public Optional<Snapshot> take(Occasion occasion, SafeDirectory directory) throws IOException {
        long takenAt = clock.millis();
        Optional<Snapshot> before = newest(occasion.conversation());
        Manifest base = before.isPresent() ? manifest(before.get()) : Manifest.EMPTY;
        SnapshotDraft draft = new SnapshotDraft(directory, base, thinPacks(before, base));
        draft.walk();
        SnapshotId id = SnapshotId.random();
        List<Pack> made = pack(occasion, id, directory, draft);
        List<ManifestEntry> entries = draft.entries();
        String manifest =
                before.isPresent() && draft.unchanged()
                        ? before.get().manifest()
                        : putManifest(occasion, id, takenAt, entries);
        Snapshot snapshot = row(occasion, id, manifest, entries, packs(before, made, entries));
        if (!database.write(tx -> store.insert(tx, snapshot))) {
            LOG.warn("a late snapshot is dropped chatId={}", occasion.conversation().value());
            return Optional.empty();
        }
        LOG.info(
                "snapshot taken chatId={} snapshotId={} files={} packed={} millis={}",
                occasion.conversation().value(),
                id.value(),
                snapshot.files(),
                draft.pending().size(),
                clock.millis() - takenAt);
        return Optional.of(snapshot);
    }

    /** Whether the newest snapshot holds all that is there, and nothing else. */
    public boolean isKept(ConversationId conversation, SafeDirectory directory) throws IOException {
        Optional<Snapshot> newest = newest(conversation);
        Manifest manifest = newest.isPresent() ? manifest(newest.get()) : Manifest.EMPTY;
        return new KeptFiles(manifest, directory).areAll();
    }

    public Optional<Snapshot> newest(ConversationId conversation) {
        return database.read(tx -> store.newest(tx, conversation));
    }

    public Optional<Snapshot> find(ConversationId conversation, SnapshotId id) {
        return database.read(tx -> store.find(tx, conversation, id));
    }

    /** Newest first. */
    public List<Snapshot> list(ConversationId conversation) {
        return database.read(tx -> store.all(tx, conversation));
    }

    public Manifest manifest(Snapshot snapshot) throws IOException {
        try (InputStream in = objects.open(snapshot.key(snapshot.manifest()))) {
            return ManifestFormat.read(in.readAllBytes());
        }
    }

    /** The bytes of a file of the snapshot, as they are stored; the caller closes them. */
    public InputStream content(Snapshot snapshot, ContentRef content) throws IOException {
        return new com.github.luben.zstd.ZstdInputStream(
                objects.open(snapshot.key(content.pack()), content.offset(), content.length()));
    }

    /** A stretch of a pack, as it is stored. */
    InputStream packed(Snapshot snapshot, String pack, long offset, long length)
            throws IOException {
        return objects.open(snapshot.key(pack), offset, length);
    }

    /** Lets go of what is too old or too many, and of the objects that nobody needs then. */
    public void prune(ConversationId conversation) throws IOException {
        List<Snapshot> all = list(conversation);
        List<Snapshot> kept = retention.kept(all, clock.millis());
        if (kept.size() == all.size()) {
            return;
        }
        Set<String> needed = new HashSet<>();
        for (Snapshot snapshot : kept) {
            needed.addAll(names(snapshot));
        }
        for (Snapshot gone : all) {
            if (kept.contains(gone)) {
                continue;
            }
            database.change(tx -> store.delete(tx, gone.id()));
            for (String name : names(gone)) {
                if (needed.add(name)) { // nobody else's, and deleted once
                    objects.delete(gone.key(name));
                }
            }
        }
    }

    static List<String> names(Snapshot snapshot) {
        List<String> names = new ArrayList<>();
        names.add(snapshot.manifest());
        snapshot.packs().forEach(pack -> names.add(pack.name()));
        return names;
    }

    private static Set<String> thinPacks(Optional<Snapshot> before, Manifest base) {
        Map<String, Long> used = base.used();
        Set<String> thin = new HashSet<>();
        for (Pack pack : before.map(Snapshot::packs).orElse(List.of())) {
            if (used.getOrDefault(pack.name(), 0L) * THIN < pack.size()) {
                thin.add(pack.name());
            }
        }
        return thin;
    }

    private List<Pack> pack(
            Occasion occasion, SnapshotId id, SafeDirectory directory, SnapshotDraft draft)
            throws IOException {
        List<Pack> packs = new ArrayList<>();
        KnownContents known = draft.known();
        for (List<WorkspacePath> files : groups(draft.pending())) {
            String name = id.value() + "/pack-" + packs.size();
            try (PackStream stream = new PackStream(directory, name, files, known)) {
                if (stream.hasBytes()) {
                    ObjectKey key = Snapshot.key(occasion.tenant(), occasion.conversation(), name);
                    objects.put(key, stream);
                    packs.add(new Pack(name, stream.size()));
                }
                stream.packed().forEach(draft::packed);
            }
        }
        return packs;
    }

    /** Packs of a size that can be given up one by one. */
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

    private String putManifest(
            Occasion occasion, SnapshotId id, long takenAt, List<ManifestEntry> entries)
            throws IOException {
        String name = id.value() + "/manifest";
        byte[] bytes = ManifestFormat.write(takenAt, entries);
        objects.put(
                Snapshot.key(occasion.tenant(), occasion.conversation(), name),
                new ByteArrayInputStream(bytes));
        return name;
    }

    /** Those of old and new that the entries are in. */
    private static List<Pack> packs(
            Optional<Snapshot> before, List<Pack> made, List<ManifestEntry> entries) {
        Map<String, Pack> known = new HashMap<>();
        before.ifPresent(
                snapshot -> snapshot.packs().forEach(pack -> known.put(pack.name(), pack)));
        made.forEach(pack -> known.put(pack.name(), pack));
        Set<String> used = new HashSet<>();
        for (ManifestEntry entry : entries) {
            ContentRef content = entry.content();
            if (content != null) {
                used.add(content.pack());
            }
        }
        return known.values().stream().filter(pack -> used.contains(pack.name())).toList();
    }

    private Snapshot row(
            Occasion occasion,
            SnapshotId id,
            String manifest,
            List<ManifestEntry> entries,
            List<Pack> packs) {
        long files = entries.stream().filter(entry -> entry.content() != null).count();
        long bytes =
                entries.stream()
                        .filter(entry -> entry.content() != null)
                        .mapToLong(entry -> entry.stat().size())
                        .sum();
        return new Snapshot(
                id,
                occasion.tenant(),
                occasion.conversation(),
                occasion.generation(),
                occasion.runId(),
                manifest,
                packs,
                files,
                bytes,
                clock.millis());
    }
}
