package dev.satchel.server.backup;

import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.AppendableObject;
import dev.satchel.server.objectstore.IntegrityProblem;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.ObjectStoreUnavailableException;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Deletes nothing while a backup copies objects. What could not be deleted is found by the sweeps
 * afterwards, as after an outage of the store.
 */
public final class HeldObjectStore implements ObjectStore {
    private final ObjectStore objects;
    private final ObjectHold hold;
    private final Database database;
    private final PendingDeletions deletions;

    public HeldObjectStore(ObjectStore objects, Database database, Clock clock) {
        this.objects = objects;
        this.hold = new ObjectHold(database, clock);
        this.database = database;
        this.deletions = new PendingDeletions(database, objects, clock);
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        return objects.put(key, content);
    }

    @Override
    public void putAll(Map<ObjectKey, byte[]> contents) throws IOException {
        objects.putAll(contents);
    }

    @Override
    public Optional<AppendableObject> createAppendable(ObjectKey key) throws IOException {
        return objects.createAppendable(key);
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return objects.open(key);
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        return objects.open(key, offset, length);
    }

    @Override
    public Optional<FileChannel> openFile(ObjectKey key) throws IOException {
        return objects.openFile(key);
    }

    @Override
    public Optional<IntegrityProblem> findProblem(ObjectKey key) throws IOException {
        return objects.findProblem(key);
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return objects.size(key);
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        objects.copy(from, to);
    }

    /**
     * While a backup copies objects, this is a copy whose source is deleted later. A source has a
     * random name, so nothing else is stored there in the meantime.
     */
    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        if (!hold.isValid()) {
            objects.move(from, to);
            return;
        }
        objects.copy(from, to);
        database.change(tx -> deletions.add(tx, from));
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        if (!isOfNoRow(key)) {
            requireNoBackup();
        }
        objects.delete(key);
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        requireNoBackup();
        return objects.deletePrefix(prefix);
    }

    @Override
    public Stream<ListedObject> list(String prefix) throws IOException {
        return objects.list(prefix);
    }

    @Override
    public void close() {
        objects.close();
    }

    /** Written and deleted again by checks of the store. */
    static boolean isOfNoRow(ObjectKey key) {
        return key.value().startsWith("readiness/") || key.value().startsWith("doctor/");
    }

    private void requireNoBackup() throws ObjectStoreUnavailableException {
        if (hold.isValid()) {
            throw new ObjectStoreUnavailableException(
                    "a backup is in progress, objects are deleted after it");
        }
    }
}
