package dev.satchel.server.snapshot;

import com.github.luben.zstd.ZstdInputStream;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
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
public final class SnapshotService {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotService.class);

    /** A pack used for less than this part of it is given up. */
    private static final int THIN = 4;

    private final Database database;
    private final SnapshotStore store;
    private final ObjectStore objects;
    private final ManifestStorage manifests;
    private final SnapshotRetention retention;
    private final Clock clock;

    public SnapshotService(
            Database database,
            SnapshotStore store,
            ObjectStore objects,
            SnapshotRetention retention,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.manifests = new ManifestStorage(objects);
        this.retention = retention;
        this.clock = clock;
    }

    /** Whose workspace, and at the end of which turn. */
    public record Occasion(
            TenantId tenant, ConversationId conversation, long generation, @Nullable String runId) {
        ObjectKey key(String name) {
            return Snapshot.key(tenant, conversation, name);
        }
    }

    /**
     * Keeps the workspace as it is now. Empty when a later turn has been kept already. Reads
     * without any lock, so whoever calls sees to it that nobody writes meanwhile.
     */
    public Optional<Snapshot> take(Occasion occasion, SafeDirectory directory) throws IOException {
        long takenAt = clock.millis();
        Optional<Snapshot> before = newest(occasion.conversation());
        Manifest base = before.isPresent() ? manifest(before.get()) : Manifest.EMPTY;
        SnapshotBuilder draft = new SnapshotBuilder(directory, base, thinPacks(before, base));
        draft.walk();
        SnapshotId id = SnapshotId.random();
        List<Pack> made = new PackWriter(objects, directory).pack(occasion, id, draft);
        List<ManifestEntry> entries = draft.entries();
        String manifest;
        if (before.isPresent() && draft.unchanged()) {
            manifest = before.get().manifest();
        } else {
            manifest = id.value() + "/manifest";
            manifests.put(occasion.key(manifest), new Manifest(takenAt, entries));
        }
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
    public boolean isComplete(ConversationId conversation, SafeDirectory directory)
            throws IOException {
        Optional<Snapshot> newest = newest(conversation);
        Manifest manifest = newest.isPresent() ? manifest(newest.get()) : Manifest.EMPTY;
        return new SnapshotComparison(manifest, directory).areAll();
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
        return manifests.read(snapshot);
    }

    /** The bytes of a file of the snapshot from an offset on; the caller closes them. */
    public InputStream content(Snapshot snapshot, ManifestEntry file, long offset)
            throws IOException {
        ContentRef at = file.requireContent();
        InputStream packed = packed(snapshot, at.pack(), at.offset(), at.length());
        return ChecksumInputStream.from(offset, new ZstdInputStream(packed), file);
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
