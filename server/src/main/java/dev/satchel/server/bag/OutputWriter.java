package dev.satchel.server.bag;

import dev.satchel.http.BoundedInputStream;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.http.security.Sha256;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.WriteBackResponse.Skipped;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.CommitUnknownException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.ContentTypeDetector;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import dev.satchel.server.run.Run;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Adds the files that a run hands in to a bag. What does not fit is skipped with a reason, and the
 * commit makes the others visible together. Small files are reserved and stored in batches, so that
 * a thousand of them cost a few transactions. For one thread; the caller closes it.
 */
public final class OutputWriter implements AutoCloseable {
    /** A file up to this size waits in memory for the others of its batch. */
    private static final int SMALL_BYTES = 64 * 1024;

    private static final int BATCH_FILES = 500;
    private static final int BATCH_BYTES = 4 * 1024 * 1024;

    private final Database database;
    private final BagStore store;
    private final ObjectStore objects;
    private final Run run;
    private final BagId bag;
    private final BagLimits limits;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();
    private final WorkspaceCopyStore copies = new WorkspaceCopyStore();
    private final OutputReservations reservations;
    private final OutputRoom room;

    private final Map<BagFile, byte[]> pending = new LinkedHashMap<>();
    private final List<BagFile> received = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private @Nullable OutputNames names;
    private int pendingBytes;
    private int parts;
    private long lastTime;
    private boolean mayBeCommitted;

    OutputWriter(
            Database database,
            BagStore store,
            ObjectStore objects,
            Run run,
            BagLimits limits,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.run = run;
        this.bag = BagService.bagOf(run);
        this.limits = limits;
        this.clock = clock;
        this.reservations = new OutputReservations(database, store, objects, run);
        this.room = new OutputRoom(bag, limits);
    }

    /** Receives one file; {@code filename} is its path in {@code assets/}. */
    public void receive(String filename, InputStream content) throws IOException {
        OutputNames known = names();
        parts++;
        if (parts > limits.maxOutputFiles()) {
            skip(
                    filename,
                    drain(content),
                    "a run may hand in " + limits.maxOutputFiles() + " files");
            return;
        }
        String path;
        try {
            path = known.receive(FileNames.path(filename));
        } catch (SatchelException e) {
            skip(filename, drain(content), String.valueOf(e.getMessage()));
            return;
        }
        byte[] head = content.readNBytes(SMALL_BYTES + 1);
        if (head.length <= SMALL_BYTES) {
            receiveSmall(known, path, head);
        } else {
            receiveLarge(known, path, head, content);
        }
    }

    private OutputNames names() {
        if (names == null) {
            names =
                    database.read(
                            tx -> {
                                room.measure(tx, 0);
                                return new OutputNames(store.outputs().rows(tx, bag));
                            });
        }
        return names;
    }

    private void receiveSmall(OutputNames known, String path, byte[] content) throws IOException {
        String sha256 = Sha256.hex(content);
        if (known.isUnchanged(path, sha256)) {
            skip(path, content.length, Skipped.UNCHANGED);
            return;
        }
        Optional<String> problem = room.take(content.length, known.newest(path).isPresent());
        if (problem.isPresent()) {
            skip(path, content.length, problem.get());
            return;
        }
        BagFile file = reservations.plan(known, path, nextTime());
        pending.put(
                file.withContent(type(file, content), new StoredObject(content.length, sha256)),
                content);
        pendingBytes += content.length;
        if (pending.size() >= BATCH_FILES || pendingBytes >= BATCH_BYTES) {
            storePending();
        }
    }

    /** Files are listed by time: of two in the same millisecond, the first stays first. */
    private long nextTime() {
        lastTime = Math.max(clock.millis(), lastTime + 1);
        return lastTime;
    }

    private void storePending() throws IOException {
        if (pending.isEmpty()) {
            return;
        }
        List<byte[]> contents = List.copyOf(pending.values());
        List<BagFile> files = reservations.reserve(names(), List.copyOf(pending.keySet()));
        pending.clear();
        pendingBytes = 0;
        Map<ObjectKey, byte[]> batch = new LinkedHashMap<>();
        for (int i = 0; i < files.size(); i++) {
            batch.put(files.get(i).storageKey(), contents.get(i));
        }
        objects.putAll(batch);
        received.addAll(files);
    }

    /** Bytes beyond the limit are counted, so that the reason comes with the size. */
    private void receiveLarge(OutputNames known, String path, byte[] head, InputStream content)
            throws IOException {
        storePending();
        long limit = room.largest();
        if (head.length > limit) {
            long size = head.length + drain(content);
            skip(path, size, room.take(size, true).orElseThrow());
            return;
        }
        BagFile file =
                reservations
                        .reserve(known, List.of(reservations.plan(known, path, nextTime())))
                        .getFirst();
        StoredObject stored =
                objects.put(
                        file.storageKey(),
                        new SequenceInputStream(
                                new ByteArrayInputStream(head),
                                BoundedInputStream.endingAfter(
                                        unclosed(content), limit - head.length + 1)));
        long size = stored.size() + drain(content);
        Optional<String> problem =
                known.isUnchanged(path, stored.sha256())
                        ? Optional.of(Skipped.UNCHANGED)
                        : room.take(size, file.supersedes() != null);
        if (problem.isPresent()) {
            skip(path, size, problem.get());
            reservations.discard(file);
            return;
        }
        received.add(file.withContent(type(file, head), stored));
    }

    /** A sequence of streams closes each at its end, but the rest is to be counted. */
    private static InputStream unclosed(InputStream content) {
        return new FilterInputStream(content) {
            @Override
            public void close() {
                // the reader of the parts goes on
            }
        };
    }

    private static String type(BagFile file, byte[] content) {
        int length = Math.min(content.length, ContentTypeDetector.HEAD_BYTES);
        return ContentTypeDetector.detect(file.name(), Arrays.copyOf(content, length));
    }

    private void skip(String path, long size, String reason) {
        skipped.add(new Skipped(FileNames.leaf(path), reason, path, size));
    }

    private static long drain(InputStream content) throws IOException {
        return content.transferTo(OutputStream.nullOutputStream());
    }

    /** Makes the files visible that still fit, unless the check throws; returns them. */
    public List<BagFile> commit(Consumer<Transaction> check) throws IOException {
        storePending();
        try {
            List<BagFile> arrived = database.write(tx -> arriveAll(tx, check));
            mayBeCommitted = true;
            received.removeAll(arrived);
            received.forEach(reservations::discard);
            return arrived;
        } catch (CommitUnknownException e) {
            mayBeCommitted = true;
            throw e;
        }
    }

    private List<BagFile> arriveAll(Transaction tx, Consumer<Transaction> check) {
        if (!store.lock(tx, bag)) {
            throw new SatchelException(ErrorCode.GONE, "the chat is deleted");
        }
        check.accept(tx);
        List<BagFile> fitting = stillFitting(tx);
        long now = clock.millis();
        if (!store.arriveAll(tx, fitting, now).isEmpty()) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the upload took too long and was deleted");
        }
        store.supersede(tx, fitting);
        recordCopies(tx, fitting);
        store.outputs().rememberSkipped(tx, run, notHandedOver());
        audit.addAll(tx, fitting.stream().map(this::upload).toList(), now);
        return fitting;
    }

    /** The files lie in the workspace already, so that they are not copied into it. */
    private void recordCopies(Transaction tx, List<BagFile> files) {
        ConversationId conversation = run.conversation();
        if (conversation != null) {
            copies.record(
                    tx,
                    conversation,
                    files.stream()
                            .map(
                                    file ->
                                            new WorkspaceCopy(
                                                    file.id(),
                                                    OutputStore.FOLDER + file.path(),
                                                    file.sha256(),
                                                    run.generation()))
                            .toList());
        }
    }

    /** People may have added files since the room was measured. */
    private List<BagFile> stillFitting(Transaction tx) {
        room.measure(tx, received.size());
        List<BagFile> fitting = new ArrayList<>();
        for (BagFile file : received) {
            Optional<String> problem = room.take(file.size(), file.supersedes() != null);
            if (problem.isPresent()) {
                skip(file.path(), file.size(), problem.get());
            } else {
                fitting.add(file);
            }
        }
        return fitting;
    }

    private AuditEvent upload(BagFile file) {
        return AuditEvent.allowed(
                        file.tenant(), bag.owner(), AuditEvent.Action.UPLOAD, file.id().value())
                .with(Map.of("from", BagFile.FROM_SANDBOX));
    }

    /** The files that are not new, or that do not fit. */
    public List<Skipped> skipped() {
        return List.copyOf(skipped);
    }

    /**
     * Stores that the whole write-back was refused, so that the end of its run can tell, if the
     * condition holds in the same transaction.
     */
    public void refused(String reason, Predicate<Transaction> condition) {
        List<NotHandedOver> all = new ArrayList<>(notHandedOver());
        received.forEach(file -> all.add(notHandedOver(file.path(), file.size(), reason)));
        pending.keySet().forEach(file -> all.add(notHandedOver(file.path(), file.size(), reason)));
        if (all.isEmpty()) {
            all.add(notHandedOver("", 0L, reason));
        }
        database.change(
                tx -> {
                    if (condition.test(tx)) {
                        store.outputs().remember(tx, run, all);
                    }
                });
    }

    private List<NotHandedOver> notHandedOver() {
        return skipped.stream()
                .filter(part -> !part.reason().equals(Skipped.UNCHANGED))
                .map(part -> notHandedOver(String.valueOf(part.path()), part.size(), part.reason()))
                .toList();
    }

    private static NotHandedOver notHandedOver(String path, @Nullable Long size, String reason) {
        return new NotHandedOver(OutputStore.FOLDER + path, size == null ? 0 : size, reason);
    }

    @Override
    public void close() {
        if (!mayBeCommitted) {
            reservations.discardAll();
        }
    }
}
