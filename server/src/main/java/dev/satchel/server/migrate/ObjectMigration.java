package dev.satchel.server.migrate;

import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.Sha256InputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Copies every object that the target does not have, then verifies all of them. A store never has
 * part of an object, so an interrupted migration continues where it stopped.
 */
public final class ObjectMigration {
    private static final int THREADS = 8;
    private static final int REPORTS = 20;

    private final ObjectStore source;
    private final ObjectStore target;
    private final Consumer<String> report;

    /** {@code report} receives progress lines. */
    public ObjectMigration(ObjectStore source, ObjectStore target, Consumer<String> report) {
        this.source = source;
        this.target = target;
        this.report = report;
    }

    /** Refuses a target with an object that the source does not have. */
    public void check() throws IOException, MigrationException {
        Map<ObjectKey, Long> expected = sizes(source);
        for (Map.Entry<ObjectKey, Long> found : sizes(target).entrySet()) {
            if (!found.getValue().equals(expected.get(found.getKey()))) {
                throw new MigrationException(
                        "the target bucket is not empty (it holds "
                                + found.getKey()
                                + ", which is not in the data folder): name an empty one in"
                                + " SATCHEL_S3_BUCKET");
            }
        }
    }

    /** Returns the number of objects in the target. */
    public int migrate() throws IOException, InterruptedException, MigrationException {
        Map<ObjectKey, Long> all = sizes(source);
        Map<ObjectKey, Long> there = sizes(target);
        List<ObjectKey> missing = new ArrayList<>(all.keySet());
        missing.removeAll(there.keySet());
        report.accept("files: " + missing.size() + " to copy, " + there.size() + " are there");
        forEach("copied", missing, this::copy);
        forEach("verified", List.copyOf(all.keySet()), this::verify);
        return all.size();
    }

    private void copy(ObjectKey key) throws IOException {
        try (InputStream content = source.open(key)) {
            target.put(key, content);
        }
    }

    private void verify(ObjectKey key) throws IOException {
        if (!hash(source, key).equals(hash(target, key))) {
            target.delete(key); // so that the next attempt copies it again
            throw new IOException(key + " was not stored correctly: run the command again");
        }
    }

    private void forEach(String done, List<ObjectKey> keys, ParallelTasks.Task<ObjectKey> task)
            throws IOException, InterruptedException {
        AtomicInteger count = new AtomicInteger();
        int step = Math.max(1, keys.size() / REPORTS);
        ParallelTasks.forEach(
                THREADS,
                keys,
                key -> {
                    task.run(key);
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
        try (Sha256InputStream content = new Sha256InputStream(store.open(key))) {
            content.transferTo(OutputStream.nullOutputStream());
            return content.sha256();
        }
    }
}
