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
 * Takes and finds snapshots. Packs are stored first, then the manifest, and the row last. If the
 * process is killed on the way, the previous snapshot stays the newest and complete, and the
 * sweeper deletes the new objects.
 */
public final class SnapshotService {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotService.class);

    /** A pack of which less than a quarter is used is replaced. */
    private static final int MIN_USED = 4;

    private final Database database;
    private final SnapshotStore store;
    private final ObjectStore objects;
    private final ManifestStorage manifests;
    private final SnapshotRetention retention;
    private final Clock clock;
    private final CompleteSnapshots complete = new CompleteSnapshots();

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

    /** The workspace of a snapshot, and the turn after which it is taken. */
    public record Origin(
            TenantId tenant, ConversationId conversation, long generation, @Nullable String runId) {
        ObjectKey key(String name) {
            return Snapshot.key(tenant, conversation, name);
        }
    }

    /**
     * Stores the workspace as it is now. Empty if there is a snapshot of a later turn. Takes no
     * lock: the caller makes sure that nothing writes to the workspace meanwhile.
     */
    public Optional<Snapshot> take(Origin origin, SafeDirectory directory) throws IOException {
        long takenAt = clock.millis();
        Optional<Snapshot> before = newest(origin.conversation());
        Manifest base = before.isPresent() ? manifest(before.get()) : Manifest.EMPTY;
        SnapshotBuilder builder = new SnapshotBuilder(directory, base, sparsePacks(before, base));
        builder.walk();
        SnapshotId id = SnapshotId.random();
        Contents contents =
                before.isPresent() && builder.unchanged()
                        ? Contents.of(before.get())
                        : store(origin, id, takenAt, builder, before);
        Snapshot snapshot = row(origin, id, contents);
        if (!database.write(tx -> store.insert(tx, snapshot))) {
            LOG.warn(
                    "dropped a snapshot, there is a later one chatId={}",
                    origin.conversation().value());
            return Optional.empty();
        }
        complete.saved(origin.conversation(), origin.generation());
        LOG.info(
                "snapshot taken chatId={} snapshotId={} files={} packed={} millis={}",
                origin.conversation().value(),
                id.value(),
                snapshot.files(),
                builder.pending().size(),
                clock.millis() - takenAt);
        return Optional.of(snapshot);
    }

    /**
     * Stores the snapshot of the turn before once more, for a turn that changed no file. Returns
     * false if this process does not know that it has all files, or if there is a later one.
     */
    public boolean repeat(Origin origin) throws IOException {
        ConversationId conversation = origin.conversation();
        Optional<Snapshot> before =
                complete.hasAll(conversation, origin.generation() - 1)
                        ? newest(conversation)
                        : Optional.empty();
        if (before.isEmpty()) {
            return false;
        }
        Snapshot snapshot = row(origin, SnapshotId.random(), Contents.of(before.get()));
        boolean stored = database.write(tx -> store.insert(tx, snapshot));
        if (stored) {
            complete.saved(conversation, origin.generation());
            prune(conversation);
        }
        return stored;
    }

    /** To be called before the server itself writes into a live workspace. */
    public void willChange(ConversationId conversation) {
        complete.changed(conversation);
    }

    /** What a snapshot refers to: the same for all snapshots of an unchanged workspace. */
    private record Contents(String manifest, List<Pack> packs, long files, long bytes) {
        static Contents of(Snapshot snapshot) {
            return new Contents(
                    snapshot.manifest(), snapshot.packs(), snapshot.files(), snapshot.bytes());
        }
    }

    /** Stores the packs and the manifest of a changed workspace. */
    private Contents store(
            Origin origin,
            SnapshotId id,
            long takenAt,
            SnapshotBuilder builder,
            Optional<Snapshot> before)
            throws IOException {
        List<Pack> made = new PackWriter(objects, builder.directory()).pack(origin, id, builder);
        List<ManifestEntry> entries = builder.entries();
        String manifest = id.value() + "/manifest";
        manifests.put(origin.key(manifest), new Manifest(takenAt, entries));
        List<ManifestEntry> files =
                entries.stream().filter(entry -> entry.content() != null).toList();
        long bytes = files.stream().mapToLong(entry -> entry.stat().size()).sum();
        return new Contents(manifest, packs(before, made, files), files.size(), bytes);
    }

    /** Whether the newest snapshot has exactly the files of the directory. */
    public boolean isComplete(ConversationId conversation, SafeDirectory directory)
            throws IOException {
        Optional<Snapshot> newest = newest(conversation);
        Manifest manifest = newest.isPresent() ? manifest(newest.get()) : Manifest.EMPTY;
        return new SnapshotComparison(manifest, directory).isSame();
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

    /** The content of a file from an offset; the caller closes the stream. */
    public InputStream content(Snapshot snapshot, ManifestEntry file, long offset)
            throws IOException {
        ContentRef at = file.requireContent();
        InputStream packed = packed(snapshot, at.pack(), at.offset(), at.length());
        return ChecksumInputStream.from(offset, new ZstdInputStream(packed), file);
    }

    /** A range of a pack, as it is stored. */
    InputStream packed(Snapshot snapshot, String pack, long offset, long length)
            throws IOException {
        return objects.open(snapshot.key(pack), offset, length);
    }

    /** Deletes snapshots beyond the retention, and objects that no other snapshot needs. */
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
        for (Snapshot removed : all) {
            if (kept.contains(removed)) {
                continue;
            }
            // no other snapshot needs it, and it is deleted once
            List<String> unneeded = names(removed).stream().filter(needed::add).toList();
            database.change(tx -> store.delete(tx, removed, unneeded));
            for (String name : unneeded) {
                objects.delete(removed.key(name));
            }
        }
    }

    private static List<String> names(Snapshot snapshot) {
        List<String> names = new ArrayList<>();
        names.add(snapshot.manifest());
        snapshot.packs().forEach(pack -> names.add(pack.name()));
        return names;
    }

    private static Set<String> sparsePacks(Optional<Snapshot> before, Manifest base) {
        Map<String, Long> used = base.used();
        Set<String> sparse = new HashSet<>();
        for (Pack pack : before.map(Snapshot::packs).orElse(List.of())) {
            if (used.getOrDefault(pack.name(), 0L) * MIN_USED < pack.size()) {
                sparse.add(pack.name());
            }
        }
        return sparse;
    }

    /** The old and new packs that hold contents of the entries. */
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

    private Snapshot row(Origin origin, SnapshotId id, Contents contents) {
        return new Snapshot(
                id,
                origin.tenant(),
                origin.conversation(),
                origin.generation(),
                origin.runId(),
                contents.manifest(),
                contents.packs(),
                contents.files(),
                contents.bytes(),
                clock.millis());
    }
}
