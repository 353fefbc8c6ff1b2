package dev.satchel.server.backup;

import dev.satchel.http.BoundedInputStream;
import dev.satchel.protocol.Json;
import dev.satchel.server.migrate.ParallelTasks;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.Sha256InputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies the objects that the rows of a backup name, and which no earlier backup has. Memory grows
 * by about 500 bytes for each object.
 */
final class ObjectExport {
    private static final int THREADS = 8;
    private static final int REPORTS = 20;

    /** The clocks of the machines that write into one folder may differ by so much. */
    private static final Duration CLOCKS = Duration.ofSeconds(10);

    private final ObjectStore source;
    private final BackupPlace place;
    private final Consumer<String> report;
    private final AtomicLong copiedBytes = new AtomicLong();
    private final AtomicInteger copied = new AtomicInteger();

    ObjectExport(ObjectStore source, BackupPlace place, Consumer<String> report) {
        this.source = source;
        this.place = place;
        this.report = report;
    }

    /** The time by the clock of the object store. */
    Instant now() throws IOException {
        String prefix = "readiness/backup-" + UUID.randomUUID() + "/";
        ObjectKey probe = new ObjectKey(prefix + "now");
        source.put(probe, new ByteArrayInputStream(new byte[1]));
        try (Stream<ListedObject> listed = source.list(prefix)) {
            return listed.findFirst().orElseThrow().modified();
        } finally {
            source.delete(probe);
        }
    }

    /**
     * To be called after the rows were read, with the time of that moment: no row names objects
     * that were stored after it.
     */
    List<BackupObject> export(Map<String, BackupObject> before, Instant rowsRead)
            throws IOException, InterruptedException {
        List<ListedObject> all = list(rowsRead.plus(CLOCKS));
        Queue<BackupObject> done = new ConcurrentLinkedQueue<>();
        AtomicInteger count = new AtomicInteger();
        int step = Math.max(1, all.size() / REPORTS);
        ParallelTasks.forEach(
                THREADS,
                all,
                object -> {
                    copy(object, before.get(object.key().value()), done);
                    int now = count.incrementAndGet();
                    if (now % step == 0 || now == all.size()) {
                        report.accept("files: " + now + " of " + all.size());
                    }
                });
        List<BackupObject> sorted = new ArrayList<>(done);
        sorted.sort(Comparator.comparing(BackupObject::key));
        return sorted;
    }

    /** The hashes of the pieces of the list. */
    List<String> write(List<BackupObject> objects) throws IOException {
        PieceWriter pieces = new PieceWriter(place);
        for (BackupObject object : objects) {
            pieces.add(Json.MAPPER.writeValueAsBytes(object));
        }
        return pieces.finish();
    }

    int copied() {
        return copied.get();
    }

    long copiedBytes() {
        return copiedBytes.get();
    }

    private List<ListedObject> list(Instant newest) throws IOException {
        try (Stream<ListedObject> listed = source.list("")) {
            return listed.filter(object -> !HeldObjectStore.isOfNoRow(object.key()))
                    .filter(object -> !object.modified().isAfter(newest))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Without an error if the object is gone: then no row of the backup needs it. */
    private void copy(ListedObject object, @Nullable BackupObject before, Queue<BackupObject> done)
            throws IOException {
        if (before != null && before.isSame(object) && place.has(before.sha256())) {
            done.add(before);
            return;
        }
        String sha256;
        try (Sha256InputStream content = new Sha256InputStream(open(object))) {
            content.transferTo(OutputStream.nullOutputStream());
            sha256 = content.sha256();
        } catch (NoSuchObjectException e) {
            return;
        }
        if (!place.has(sha256)) {
            try (InputStream content = open(object)) {
                place.store(sha256, content);
            }
            copied.incrementAndGet();
            copiedBytes.addAndGet(object.size());
        }
        done.add(
                new BackupObject(
                        object.key().value(),
                        object.size(),
                        object.modified().toEpochMilli(),
                        sha256));
    }

    /** An upload that is not complete may grow meanwhile; only what was listed is copied. */
    private InputStream open(ListedObject object) throws IOException {
        return BoundedInputStream.endingAfter(source.open(object.key()), object.size());
    }
}
