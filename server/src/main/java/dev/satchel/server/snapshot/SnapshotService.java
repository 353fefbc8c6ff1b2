package dev.satchel.server.snapshot;

import com.github.luben.zstd.ZstdInputStream;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjLongConsumer;
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

    private final Database database;
    private final SnapshotStore store;
    private final ObjectStore objects;
    private final ManifestStorage manifests;
    private final SnapshotPruner pruner;
    private final Clock clock;
    private final CompleteSnapshots complete = new CompleteSnapshots();
    private volatile ObjLongConsumer<Duration> onTaken = (_, _) -> {};

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
        this.pruner = new SnapshotPruner(database, store, objects, retention, clock);
        this.clock = clock;
    }

    public void onTaken(ObjLongConsumer<Duration> timeAndBytesOfNewPacks) {
        onTaken = timeAndBytesOfNewPacks;
    }

    /**
     * The workspace of a snapshot, and the turn after which it is taken.
     *
     * @param message to which the snapshot belongs; null for the last message of the thread
     * @param beforeAll whether it belongs to no message, but to the beginning of the thread
     */
    public record Origin(
            TenantId tenant,
            ConversationId conversation,
            long generation,
            @Nullable String runId,
            @Nullable MessageId message,
            boolean beforeAll) {
        /** After a message of the thread. */
        public Origin(
                TenantId tenant,
                ConversationId conversation,
                long generation,
                @Nullable String runId,
                @Nullable MessageId message) {
            this(tenant, conversation, generation, runId, message, false);
        }

        /** After the last message of the thread. */
        public Origin(
                TenantId tenant,
                ConversationId conversation,
                long generation,
                @Nullable String runId) {
            this(tenant, conversation, generation, runId, null);
        }

        ObjectKey key(String name) {
            return Snapshot.key(tenant, conversation, name);
        }

        /** The same workspace after another turn. */
        public Origin at(long other) {
            return new Origin(tenant, conversation, other, runId, message, beforeAll);
        }
    }

    /**
     * The origin as it is now: a run or a restored snapshot may have been first since the
     * conversation was read. To be asked by the holder of the workspace, outside of runs.
     */
    public Origin current(Origin origin) {
        return database.read(tx -> store.generation(tx, origin.conversation())).stream()
                .mapToObj(origin::at)
                .findFirst()
                .orElse(origin);
    }

    /**
     * Stores the workspace as it is now. Empty if there is a snapshot of a later turn. Takes no
     * lock: the caller makes sure that nothing writes to the workspace meanwhile.
     */
    public Optional<Snapshot> take(Origin origin, SafeDirectory directory) throws IOException {
        return take(origin, directory, false);
    }

    /**
     * As {@link #take}, but returns the newest snapshot if restoring it gives exactly what is there
     * now.
     */
    public Optional<Snapshot> takeIfChanged(Origin origin, SafeDirectory directory)
            throws IOException {
        return take(origin, directory, true);
    }

    /**
     * Stores what has changed since the last snapshot, before the run of a question begins. It
     * belongs to the message that a new question follows, so that another question can begin with
     * it, and to a question that is asked again.
     */
    public void takeBefore(Origin origin, @Nullable MessageId question, SafeDirectory directory)
            throws IOException {
        Origin before =
                question == null ? origin : database.read(tx -> store.before(tx, origin, question));
        Optional<Snapshot> _ = take(before, directory, true);
    }

    /** Whether this process knows that the newest snapshot, of this turn, has all files. */
    public boolean hasAll(ConversationId conversation, long generation) {
        return complete.hasAll(conversation, generation);
    }

    private Optional<Snapshot> take(Origin origin, SafeDirectory directory, boolean onlyIfChanged)
            throws IOException {
        long takenAt = clock.millis();
        Optional<Snapshot> before = newest(origin.conversation());
        Manifest base = manifest(before);
        SnapshotBuilder builder = new SnapshotBuilder(directory, base, Pack.sparse(before, base));
        builder.walk();
        SnapshotId id = SnapshotId.random();
        List<Pack> made = new PackWriter(objects, builder.directory()).pack(origin, id, builder);
        if (onlyIfChanged && before.isPresent() && made.isEmpty() && builder.isRestored()) {
            if (!builder.unchanged()) {
                manifests.refresh(before.get(), new Manifest(takenAt, builder.entries()));
            }
            return before;
        }
        Snapshot snapshot;
        if (before.isPresent() && builder.unchanged()) {
            snapshot = row(origin, id, Contents.of(before.get()), Manifest.Counts.NONE);
        } else {
            Manifest manifest = new Manifest(takenAt, builder.entries());
            Contents contents = store(origin, id, manifest, Pack.known(before, made));
            snapshot = row(origin, id, contents, base.countsTo(manifest));
        }
        return stored(snapshot, origin.beforeAll(), made, takenAt)
                ? Optional.of(snapshot)
                : Optional.empty();
    }

    private boolean stored(Snapshot snapshot, boolean beforeAll, List<Pack> made, long begun) {
        if (!database.write(tx -> store.insert(tx, snapshot, beforeAll))) {
            LOG.warn(
                    "dropped a snapshot, there is a later one chatId={}",
                    snapshot.conversation().value());
            return false;
        }
        complete.saved(snapshot.conversation(), snapshot.generation());
        long bytes = made.stream().mapToLong(Pack::size).sum();
        onTaken.accept(Duration.ofMillis(clock.millis() - begun), bytes);
        LOG.info(
                "snapshot taken chatId={} snapshotId={} files={} packedBytes={} millis={}",
                snapshot.conversation().value(),
                snapshot.id().value(),
                snapshot.files(),
                bytes,
                clock.millis() - begun);
        return true;
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
        Contents same = Contents.of(before.get());
        Snapshot snapshot = row(origin, SnapshotId.random(), same, Manifest.Counts.NONE);
        boolean stored = database.write(tx -> store.insert(tx, snapshot, false));
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

    /**
     * A snapshot that gives a workspace the files of an earlier one, to be inserted with {@link
     * #restore}. Without an earlier one the workspace becomes empty.
     *
     * @param paths to be restored, with all beneath; empty for the whole workspace
     */
    public Snapshot restored(Origin origin, Optional<Snapshot> from, List<WorkspacePath> paths)
            throws IOException {
        Optional<Snapshot> before = newest(origin.conversation());
        Manifest base = manifest(before);
        Manifest source = manifest(from);
        SnapshotId id = SnapshotId.random();
        Manifest target = paths.isEmpty() ? source : base.withPaths(source, paths);
        Contents contents =
                paths.isEmpty() && from.isPresent()
                        ? Contents.of(from.get())
                        : store(origin, id, target, Pack.known(before, from));
        Snapshot made = row(origin, id, contents, base.countsTo(target));
        return from.map(Snapshot::id).map(made::asRestoredFrom).orElse(made);
    }

    /**
     * What {@link #restored} would change.
     *
     * @param directory the live workspace, if there is one
     */
    public Manifest.Difference preview(
            ConversationId conversation,
            Optional<SafeDirectory> directory,
            Snapshot from,
            List<WorkspacePath> paths)
            throws IOException {
        Manifest now = manifest(newest(conversation));
        if (directory.isPresent()) {
            SnapshotBuilder builder = new SnapshotBuilder(directory.get(), now, Set.of());
            builder.walk();
            builder.hash();
            now = new Manifest(now.takenAt(), builder.entries());
        }
        Manifest source = manifest(from);
        return now.differenceTo(paths.isEmpty() ? source : now.withPaths(source, paths));
    }

    /** Compares two snapshots; none stands for an empty workspace. */
    public Manifest.Difference difference(Optional<Snapshot> earlier, Optional<Snapshot> later)
            throws IOException {
        return manifest(earlier).differenceTo(manifest(later));
    }

    private Manifest manifest(Optional<Snapshot> snapshot) throws IOException {
        return snapshot.isPresent() ? manifest(snapshot.get()) : Manifest.EMPTY;
    }

    /**
     * Makes a snapshot the newest.
     *
     * @param isLive whether the live workspace is still to be brought to it: until {@link
     *     #endRestore} it is unfinished
     */
    public void restore(Transaction tx, Snapshot snapshot, boolean isLive) {
        if (!store.insert(tx, snapshot, false)) {
            throw new IllegalStateException("there is a later snapshot");
        }
        if (isLive) {
            store.beginRestore(tx, snapshot);
        }
    }

    /** The newest snapshot, if the live workspace does not have its files yet. */
    public Optional<Snapshot> unfinishedRestore(ConversationId conversation) {
        return database.read(tx -> store.unfinished(tx, conversation));
    }

    /** Whether the live workspace does not have the files of the newest snapshot yet. */
    public boolean isRestoring(ConversationId conversation) {
        return database.read(tx -> store.isUnfinished(tx, conversation));
    }

    /** Brings a directory to a snapshot by writing only what differs from it. */
    public void update(SafeDirectory directory, Snapshot snapshot) throws IOException {
        Optional<Snapshot> before = database.read(tx -> store.before(tx, snapshot));
        Manifest base = manifest(before);
        Manifest target = manifest(snapshot);
        complete.changed(snapshot.conversation());
        new DirectoryUpdate(directory, base, target)
                .apply(new SnapshotUnpacker(this, directory, snapshot));
        manifests.refresh(snapshot, target.madeFrom(base));
        complete.saved(snapshot.conversation(), snapshot.generation());
    }

    /** The live workspace has the files of the newest snapshot, or there is none any more. */
    public void endRestore(ConversationId conversation) {
        database.change(tx -> store.endRestore(tx, conversation));
    }

    /** What a snapshot refers to: the same for all snapshots of an unchanged workspace. */
    private record Contents(String manifest, List<Pack> packs, long files, long bytes) {
        static Contents of(Snapshot snapshot) {
            return new Contents(
                    snapshot.manifest(), snapshot.packs(), snapshot.files(), snapshot.bytes());
        }
    }

    /** Stores the manifest of a changed workspace, whose packs are stored. */
    private Contents store(Origin origin, SnapshotId id, Manifest manifest, Map<String, Pack> packs)
            throws IOException {
        String name = id.value() + "/manifest";
        manifests.put(origin.key(name), manifest);
        List<ManifestEntry> files =
                manifest.entries().stream().filter(entry -> entry.content() != null).toList();
        long bytes = files.stream().mapToLong(entry -> entry.stat().size()).sum();
        return new Contents(name, Pack.used(packs, files), files.size(), bytes);
    }

    /** Whether the newest snapshot has exactly the files of the directory. */
    public boolean isComplete(ConversationId conversation, SafeDirectory directory)
            throws IOException {
        return new SnapshotComparison(manifest(newest(conversation)), directory).isSame();
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
        pruner.prune(conversation);
    }

    private Snapshot row(Origin origin, SnapshotId id, Contents contents, Manifest.Counts changes) {
        return new Snapshot(
                id,
                origin.tenant(),
                origin.conversation(),
                origin.generation(),
                origin.runId(),
                origin.message(),
                null,
                contents.manifest(),
                contents.packs(),
                contents.files(),
                contents.bytes(),
                changes,
                clock.millis());
    }
}
