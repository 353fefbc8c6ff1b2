package dev.satchel.server.objectstore;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Stores bytes under keys. An object is visible only when it is complete, except an {@link
 * AppendableObject}. A reader reads one version to its end, even while the object is replaced. Keys
 * form a tree: no key may continue the key of another object.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * Stores all bytes of the stream and replaces the object, if there is one. When the stream
     * fails, nothing changes. Does not close the stream.
     */
    StoredObject put(ObjectKey key, InputStream content) throws IOException;

    /** Stores small objects. After a failure some of them may be stored. */
    default void putAll(Map<ObjectKey, byte[]> objects) throws IOException {
        for (Map.Entry<ObjectKey, byte[]> object : objects.entrySet()) {
            put(object.getKey(), new ByteArrayInputStream(object.getValue()));
        }
    }

    /**
     * Creates an object that is written step by step; the caller closes it. Empty when this store
     * has complete objects only.
     */
    default Optional<AppendableObject> createAppendable(ObjectKey key) throws IOException {
        return Optional.empty();
    }

    /** The complete object; the caller closes it. Throws NoSuchObjectException. */
    InputStream open(ObjectKey key) throws IOException;

    /**
     * At most {@code length} bytes from {@code offset} on; fewer or none when the object ends
     * earlier.
     */
    InputStream open(ObjectKey key, long offset, long length) throws IOException;

    /** The file that has the bytes of the object, if there is one; the caller closes it. */
    default Optional<FileChannel> openFile(ObjectKey key) throws IOException {
        return Optional.empty();
    }

    /**
     * Finds out whether another program has replaced the object, as far as this store can. Opening
     * follows no link, also without this check.
     */
    default Optional<IntegrityProblem> findProblem(ObjectKey key) throws IOException {
        return size(key).isPresent() ? Optional.empty() : Optional.of(IntegrityProblem.MISSING);
    }

    /** Empty when there is no such object. */
    OptionalLong size(ObjectKey key) throws IOException;

    void copy(ObjectKey from, ObjectKey to) throws IOException;

    /** On S3 this is a copy and then a delete: a crash between them leaves both objects. */
    void move(ObjectKey from, ObjectKey to) throws IOException;

    /** Does nothing when there is no such object. */
    void delete(ObjectKey key) throws IOException;

    /** Deletes every object below a prefix, which ends in a slash; returns their number. */
    long deletePrefix(String prefix) throws IOException;

    /**
     * The objects below a prefix that ends in a slash, or all for an empty prefix, in no particular
     * order. They are read while the stream is, and a failure is an UncheckedIOException.
     */
    Stream<ListedObject> list(String prefix) throws IOException;

    @Override
    void close();
}
