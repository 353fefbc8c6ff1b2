package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.CommitUnknownException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.IncomingFile;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the files of a person to a bag: all or none. It reserves a name, stores the bytes under the
 * key of that name and hashes them; the commit makes the files visible. A crash leaves
 * reservations, which the sweeper deletes, never a file without bytes.
 */
public final class BagWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BagWriter.class);

    private final Database database;
    private final BagStore store;
    private final BagContentStore contents = new BagContentStore();
    private final ObjectStore objects;
    private final Target target;
    private final BagLimits limits;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();
    private final List<BagFile> reserved = new ArrayList<>();
    private final List<BagFile> received = new ArrayList<>();
    private boolean mayBeCommitted;

    /** The bag of the files and where they come from. */
    record Target(TenantId tenant, BagId bag, @Nullable RunId run, String source) {}

    BagWriter(
            Database database,
            BagStore store,
            ObjectStore objects,
            Target target,
            BagLimits limits,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.target = target;
        this.limits = limits;
        this.clock = clock;
    }

    /** Receives one file under the given name, or the next free one with a number. */
    public void receive(String filename, InputStream content) throws IOException {
        receive("", filename, content);
    }

    /** As {@link #receive(String, InputStream)}, in a folder of {@code FileNames#folder}. */
    void receive(String folder, String filename, InputStream content) throws IOException {
        IncomingFile file = IncomingFile.of(filename, content, limits.maxFileBytes());
        String wanted = folder + file.name();
        BagFile reservation = reserve(wanted);
        StoredObject stored = objects.put(reservation.storageKey(), file.content());
        received.add(reservation.withContent(file.mimeType(), stored));
    }

    /** Makes the received files visible, unless the check throws or they exceed the limits. */
    public List<BagFile> commit(Consumer<Transaction> check) {
        try {
            database.change(tx -> arriveAll(tx, check));
            mayBeCommitted = true;
        } catch (CommitUnknownException e) {
            mayBeCommitted = true;
            throw e;
        }
        return List.copyOf(received);
    }

    @Override
    public void close() {
        if (!mayBeCommitted) {
            reserved.forEach(this::discard);
        }
    }

    private void arriveAll(Transaction tx, Consumer<Transaction> check) {
        if (!store.lock(tx, target.bag())) {
            throw new SatchelException(ErrorCode.GONE, "the chat is deleted");
        }
        check.accept(tx);
        long now = clock.millis();
        received.forEach(file -> arrive(tx, file, now));
        requireByteLimit(tx);
    }

    private BagFile reserve(String wanted) {
        BagFile reservation =
                database.write(
                        tx -> {
                            if (contents.count(tx, target.bag()) >= limits.maxFiles()) {
                                throw new SatchelException(
                                        ErrorCode.TOO_LARGE,
                                        "more than " + limits.maxFiles() + " files");
                            }
                            return new FreeNameFinder(store)
                                    .reserve(tx, target.bag(), target.run(), wanted, this::named);
                        });
        reserved.add(reservation);
        return reservation;
    }

    private BagFile named(String name) {
        return new BagFile(
                FileId.random(),
                target.tenant(),
                null,
                name,
                "",
                0,
                "",
                target.bag().key(target.tenant(), name),
                target.source(),
                nextTime());
    }

    /** Files are listed by time: of two in the same millisecond, the first stays first. */
    private long nextTime() {
        long now = clock.millis();
        return reserved.isEmpty() ? now : Math.max(now, reserved.getLast().createdAt() + 1);
    }

    private void arrive(Transaction tx, BagFile file, long now) {
        if (!store.arrive(tx, file, now)) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the upload took too long and was deleted");
        }
        AuditEvent event =
                AuditEvent.allowed(
                        file.tenant(),
                        target.bag().owner(),
                        AuditEvent.Action.UPLOAD,
                        file.id().value());
        audit.add(tx, event.with(Map.of("from", target.source())), now);
    }

    private void requireByteLimit(Transaction tx) {
        if (contents.bytes(tx, target.bag()) > limits.maxBagBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the files together have more than " + limits.maxBagBytes() + " bytes");
        }
    }

    /** Deletes the object first: the sweeper finds a row without an object, but not the reverse. */
    private void discard(BagFile file) {
        try {
            objects.delete(file.storageKey());
            database.change(tx -> store.release(tx, file.id()));
        } catch (IOException | RuntimeException e) {
            LOG.warn("could not undo an upload, the sweeper will fileId={}", file.id().value(), e);
        }
    }
}
