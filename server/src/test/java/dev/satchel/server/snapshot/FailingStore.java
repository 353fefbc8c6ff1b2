package dev.satchel.server.snapshot;

import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A store that dies at a chosen call, as a killed process would: nothing works after it. */
final class FailingStore implements ObjectStore {
    private final ObjectStore real;
    private int callsLeft = Integer.MAX_VALUE;

    FailingStore(ObjectStore real) {
        this.real = real;
    }

    void dieAfter(int calls) {
        callsLeft = calls;
    }

    boolean died() {
        return callsLeft < 0;
    }

    void revive() {
        callsLeft = Integer.MAX_VALUE;
    }

    private ObjectStore call() throws IOException {
        if (--callsLeft < 0) {
            throw new IOException("killed");
        }
        return real;
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        return call().put(key, content);
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return call().open(key);
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        return call().open(key, offset, length);
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return call().size(key);
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        call().copy(from, to);
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        call().move(from, to);
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        call().delete(key);
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        return call().deletePrefix(prefix);
    }

    @Override
    public Stream<ListedObject> list(String prefix) throws IOException {
        return call().list(prefix);
    }

    @Override
    public void close() {
        real.close();
    }
}
