package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Holds bytes under keys. But for those that grow, an object is visible only when whole, and a
 * reader sees one version of it to the end even while it is replaced. Keys form a tree: nothing may
 * be put beneath an object.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * Stores everything the stream gives, replacing what was there; when the stream fails, nothing
     * changes. The stream is left open.
     */
    StoredObject put(ObjectKey key, InputStream content) throws IOException;

    /**
     * Begins an object that is written on where it lies, by one writer, who closes it; empty where
     * objects only come whole.
     */
    default Optional<AppendableObject> grow(ObjectKey key) throws IOException {
        return Optional.empty();
    }

    /** The whole object; the caller closes it. A missing one is a NoSuchObjectException. */
    InputStream open(ObjectKey key) throws IOException;

    /**
     * At most {@code length} bytes from {@code offset} on, fewer where the object ends, none past
     * its end.
     */
    InputStream open(ObjectKey key, long offset, long length) throws IOException;

    /** The file that holds the object, where one does; the caller closes it. */
    default Optional<FileChannel> openFile(ObjectKey key) throws IOException {
        return Optional.empty();
    }

    /**
     * What somebody has done to the object behind our back, where that can be seen. For who must
     * not read it then; opening is safe without it and follows no link.
     */
    default Optional<IntegrityProblem> oddity(ObjectKey key) throws IOException {
        return size(key).isPresent() ? Optional.empty() : Optional.of(IntegrityProblem.MISSING);
    }

    /** Empty when there is no such object. */
    OptionalLong size(ObjectKey key) throws IOException;

    void copy(ObjectKey from, ObjectKey to) throws IOException;

    /** On S3 a copy and then a delete: a crash in between leaves both, never neither. */
    void move(ObjectKey from, ObjectKey to) throws IOException;

    /** Deleting what is not there is no failure. */
    void delete(ObjectKey key) throws IOException;

    /** Deletes every object beneath a prefix, which ends in a slash, and says how many. */
    long deletePrefix(String prefix) throws IOException;

    /**
     * The objects beneath a prefix that ends in a slash, or all for an empty one, in no particular
     * order and read as the stream goes on, failing with an UncheckedIOException.
     */
    Stream<ListedObject> list(String prefix) throws IOException;

    @Override
    void close();
}
