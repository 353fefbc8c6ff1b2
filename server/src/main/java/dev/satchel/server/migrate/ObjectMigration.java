package dev.satchel.server.migrate;

import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Copies every object that is not there yet, then reads all of them back. An object is whole or not
 * there, so a move that was killed goes on where it was.
 */
public final class ObjectMigration {
    private static final int AT_ONCE = 8;
    private static final int REPORTS = 20;

    private final ObjectStore source;
    private final ObjectStore target;
    private final Consumer<String> report;

    /** The report gets a line for every twentieth of the way. */
    public ObjectMigration(ObjectStore source, ObjectStore target, Consumer<String> report) {
        this.source = source;
        this.target = target;
        this.report = report;
    }

    /** Refuses a target that holds anything which the source does not. */
    public void check() throws IOException, MigrationException {
        Map<ObjectKey, Long> ours = sizes(source);
        for (Map.Entry<ObjectKey, Long> theirs : sizes(target).entrySet()) {
            if (!theirs.getValue().equals(ours.get(theirs.getKey()))) {
                throw new MigrationException(
                        "the target bucket is not empty (it holds "
                                + theirs.getKey()
                                + ", which is not of this data folder): name an empty one in"
                                + " SATCHEL_S3_BUCKET");
            }
        }
    }

    /** Returns how many objects are there now. */
    public int move() throws IOException, InterruptedException, MigrationException {
        Map<ObjectKey, Long> all = sizes(source);
        Map<ObjectKey, Long> there = sizes(target);
        List<ObjectKey> missing = new ArrayList<>(all.keySet());
        missing.removeAll(there.keySet());
        report.accept("files: " + missing.size() + " to copy, " + there.size() + " are there");
        each("copied", missing, this::copy);
        each("verified", List.copyOf(all.keySet()), this::verify);
        return all.size();
    }

    private void copy(ObjectKey key) throws IOException {
        try (InputStream content = source.open(key)) {
            target.put(key, content);
        }
    }

    private void verify(ObjectKey key) throws IOException {
        if (!hash(source, key).equals(hash(target, key))) {
            target.delete(key); // so that the next try copies it again
            throw new IOException(key + " does not read as it was written: try again");
        }
    }

    private void each(String done, List<ObjectKey> keys, ParallelTasks.Work<ObjectKey> work)
            throws IOException, InterruptedException {
        AtomicInteger count = new AtomicInteger();
        int step = Math.max(1, keys.size() / REPORTS);
        ParallelTasks.each(
                AT_ONCE,
                keys,
                key -> {
                    work.run(key);
                    int now = count.incrementAndGet();
                    if (now % step == 0 || now == keys.size()) {
                        report.accept("files: " + now + " of " + keys.size() + " " + done);
                    }
                });
    }

    private static Map<ObjectKey, Long> sizes(ObjectStore store) throws IOException {
        Map<ObjectKey, Long> sizes = new TreeMap<>((a, b) -> a.value().compareTo(b.value()));
        try (Stream<ListedObject> objects = store.list("")) {
            objects.forEach(object -> sizes.put(object.key(), object.size()));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return sizes;
    }

    private static String hash(ObjectStore store, ObjectKey key) throws IOException {
        try (DigestInputStream content =
                new DigestInputStream(store.open(key), MessageDigest.getInstance("SHA-256"))) {
            content.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(content.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
