package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Delegates to a real store; tests override single methods. */
public abstract class DelegatingObjectStore implements ObjectStore {
    private final ObjectStore real;

    protected DelegatingObjectStore(ObjectStore real) {
        this.real = real;
    }

    /** Called before every operation. */
    protected ObjectStore real() throws IOException {
        return real;
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        return real().put(key, content);
    }

    @Override
    public Optional<AppendableObject> createAppendable(ObjectKey key) throws IOException {
        return real().createAppendable(key);
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return real().open(key);
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        return real().open(key, offset, length);
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return real().size(key);
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        real().copy(from, to);
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        real().move(from, to);
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        real().delete(key);
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        return real().deletePrefix(prefix);
    }

    @Override
    public Stream<ListedObject> list(String prefix) throws IOException {
        return real().list(prefix);
    }

    @Override
    public void close() {
        real.close();
    }
}
