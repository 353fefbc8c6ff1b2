package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
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
 * Files on their way into a bag: all of them arrive together or none does. A name is reserved
 * first, then the bytes go straight to the key of that name, hashed on the way; the commit makes
 * them visible. A crash leaves reservations for the sweeper, never a file without its bytes.
 */
public final class BagWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BagWriter.class);

    private final Database database;
    private final BagStore store;
    private final ObjectStore objects;
    private final Target target;
    private final BagLimits limits;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();
    private final List<BagFile> reserved = new ArrayList<>();
    private final List<BagFile> received = new ArrayList<>();
    private final List<String> unchanged = new ArrayList<>();
    private boolean settled; // committed, or nobody knows whether

    /** Where files go and who sends them. */
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

    /** Takes one file in; its name is the given one, or the next free one like it. */
    public void receive(String filename, InputStream content) throws IOException {
        receive("", filename, content);
    }

    /** As {@link #receive(String, InputStream)}, beneath a folder as {@link FileNames} makes it. */
    void receive(String folder, String filename, InputStream content) throws IOException {
        IncomingFile file = IncomingFile.of(filename, content, limits.maxFileBytes());
        String wanted = folder + file.name();
        BagFile reservation = reserve(wanted);
        StoredObject stored = objects.put(reservation.storageKey(), file.content());
        String nameKey = FileNames.key(wanted);
        boolean known =
                target.source().equals(BagFile.FROM_SANDBOX)
                        && database.read(
                                tx -> store.holds(tx, target.bag(), nameKey, stored.sha256()));
        if (known) {
            unchanged.add(wanted);
            discard(reservation);
            reserved.remove(reservation);
            return;
        }
        received.add(measured(reservation, file.mimeType(), stored));
    }

    /**
     * Makes everything received visible, if the check passes and the bag has room; the check may
     * throw.
     */
    public List<BagFile> commit(Consumer<Transaction> check) {
        settled = true;
        try {
            database.change(tx -> arriveAll(tx, check));
        } catch (SatchelException refusal) {
            settled = false; // rolled back for sure; after any other failure the bytes stay
            throw refusal;
        }
        return List.copyOf(received);
    }

    /** Names whose content the bag already holds under the same name. */
    public List<String> unchanged() {
        return List.copyOf(unchanged);
    }

    @Override
    public void close() {
        if (!settled) {
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
        requireRoom(tx);
    }

    private BagFile reserve(String wanted) {
        BagFile reservation =
                database.write(
                        tx -> {
                            if (store.count(tx, target.bag()) >= limits.maxFiles()) {
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
                clock.millis());
    }

    private void arrive(Transaction tx, BagFile file, long now) {
        if (!store.arrive(tx, file, now)) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the upload took too long and was given up");
        }
        AuditEvent event =
                AuditEvent.allowed(
                        file.tenant(),
                        target.bag().owner(),
                        AuditEvent.Action.UPLOAD,
                        file.id().value());
        audit.add(tx, event.with(Map.of("from", target.source())), now);
    }

    private void requireRoom(Transaction tx) {
        if (store.bytes(tx, target.bag()) > limits.maxBagBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the files together have more than " + limits.maxBagBytes() + " bytes");
        }
    }

    private static BagFile measured(BagFile file, String type, StoredObject stored) {
        return new BagFile(
                file.id(),
                file.tenant(),
                null,
                file.name(),
                type,
                stored.size(),
                stored.sha256(),
                file.storageKey(),
                file.source(),
                file.createdAt());
    }

    /** Object first: a row without bytes must not outlive us, an object without a row may. */
    private void discard(BagFile file) {
        try {
            objects.delete(file.storageKey());
            database.change(tx -> store.release(tx, file.id()));
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "an upload could not be undone, the sweeper will fileId={}",
                    file.id().value(),
                    e);
        }
    }
}
