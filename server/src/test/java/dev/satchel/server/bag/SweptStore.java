package dev.satchel.server.bag;

import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A store in which somebody sweeps right after each copy. */
record SweptStore(ObjectStore real, Runnable sweep) implements ObjectStore {
    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        real.copy(from, to);
        sweep.run();
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        return real.put(key, content);
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return real.open(key);
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        return real.open(key, offset, length);
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return real.size(key);
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        real.move(from, to);
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        real.delete(key);
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        return real.deletePrefix(prefix);
    }

    @Override
    public Stream<ListedObject> list(String prefix) throws IOException {
        return real.list(prefix);
    }

    @Override
    public void close() {
        real.close();
    }
}
