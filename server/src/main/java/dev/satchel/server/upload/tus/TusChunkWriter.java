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
 * Stores the chunks of one request: one after the other in an appendable object, where the store
 * has such, else each in an object of its own.
 */
final class TusChunkWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;

    /** A chunk without a row yet, and the object that has it, perhaps after other chunks. */
    record Stored(ObjectKey key, long size) {}

    private final ObjectStore objects;
    private final String prefix;
    private final ObjectKey key;
    private @Nullable AppendableObject appendable;

    /** The keys of the objects begin with the prefix. */
    TusChunkWriter(ObjectStore objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
        this.key = newKey();
    }

    Stored write(InputStream chunk) throws IOException {
        if (appendable == null) {
            appendable = objects.createAppendable(key).orElse(null);
        }
        if (appendable == null) {
            ObjectKey own = newKey();
            return new Stored(own, objects.put(own, chunk).size());
        }
        return new Stored(key, append(appendable, chunk));
    }

    private long append(AppendableObject object, InputStream chunk) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long size = 0;
        for (int n = chunk.readNBytes(buffer, 0, buffer.length);
                n > 0;
                n = chunk.readNBytes(buffer, 0, buffer.length)) {
            object.write(buffer, 0, n);
            size += n;
        }
        return size;
    }

    /** Makes the written bytes survive a crash. Another thread may call it. */
    void flush() throws IOException {
        AppendableObject object = appendable;
        if (object != null) {
            object.flush();
        }
    }

    /** Whether all chunks are in one object. */
    boolean isSingleObject() {
        return appendable != null;
    }

    /** The hash of all bytes, if they are in one object. Must be called once, at the end. */
    Optional<String> hash() {
        return Optional.ofNullable(appendable).map(AppendableObject::sha256);
    }

    @Override
    public void close() throws IOException {
        if (appendable != null) {
            appendable.close();
        }
    }

    private ObjectKey newKey() {
        return new ObjectKey(prefix + UUID.randomUUID());
    }
}
