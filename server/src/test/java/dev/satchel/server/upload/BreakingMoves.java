package dev.satchel.server.upload;

import dev.satchel.server.objectstore.GrowingObject;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A real store whose moves end as a crash would, before or after the bytes have moved. */
record BreakingMoves(ObjectStore store, Moment moment) implements ObjectStore {
    enum Moment {
        BEFORE_THE_BYTES_MOVED,
        AFTER_THE_BYTES_MOVED
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        if (moment == Moment.AFTER_THE_BYTES_MOVED) {
            store.move(from, to);
        }
        throw new IOException("crashed");
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        return store.put(key, content);
    }

    @Override
    public Optional<GrowingObject> grow(ObjectKey key) throws IOException {
        return store.grow(key);
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return store.open(key);
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        return store.open(key, offset, length);
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return store.size(key);
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        store.copy(from, to);
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        store.delete(key);
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        return store.deletePrefix(prefix);
    }

    @Override
    public Stream<ListedObject> list(String prefix) throws IOException {
        return store.list(prefix);
    }

    @Override
    public void close() {
        // the real one is closed by its owner
    }
}
