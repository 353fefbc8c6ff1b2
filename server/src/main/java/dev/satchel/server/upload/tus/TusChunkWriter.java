package dev.satchel.server.upload.tus;

import dev.satchel.server.objectstore.AppendableObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores the pieces of one request: one behind the other in an object that grows, where the store
 * has such, else each in an object of its own.
 */
final class TusChunkWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;

    /** A piece that no row names yet, and the object that it is, or is at the end of. */
    record Stored(ObjectKey key, long size) {}

    private final ObjectStore objects;
    private final String prefix;
    private final ObjectKey key;
    private @Nullable AppendableObject growing;

    /** The objects lie beneath the prefix. */
    TusChunkWriter(ObjectStore objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
        this.key = newKey();
    }

    Stored write(InputStream piece) throws IOException {
        if (growing == null) {
            growing = objects.grow(key).orElse(null);
        }
        if (growing == null) {
            ObjectKey own = newKey();
            return new Stored(own, objects.put(own, piece).size());
        }
        return new Stored(key, append(growing, piece));
    }

    private long append(AppendableObject object, InputStream piece) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long size = 0;
        for (int n = piece.readNBytes(buffer, 0, buffer.length);
                n > 0;
                n = piece.readNBytes(buffer, 0, buffer.length)) {
            object.write(buffer, 0, n);
            size += n;
        }
        return size;
    }

    /** What is written survives a crash from here on. Another thread may call it. */
    void flush() throws IOException {
        AppendableObject object = growing;
        if (object != null) {
            object.flush();
        }
    }

    /** Whether all pieces are in one object. */
    boolean grows() {
        return growing != null;
    }

    /** Of everything written, where that is one object; to be asked once, at the end. */
    Optional<String> hash() {
        return Optional.ofNullable(growing).map(AppendableObject::sha256);
    }

    @Override
    public void close() throws IOException {
        if (growing != null) {
            growing.close();
        }
    }

    private ObjectKey newKey() {
        return new ObjectKey(prefix + UUID.randomUUID());
    }
}
