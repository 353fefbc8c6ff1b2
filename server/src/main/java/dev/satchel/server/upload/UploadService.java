package dev.satchel.server.upload;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Temporary sessions: files without a conversation, until one claims them. */
public final class UploadService implements ConversationData {
    private final Database database;
    private final ObjectStore objects;
    private final PendingDeletions deletions;
    private final BagLimits limits;
    private final Duration maxAge;
    private final Clock clock;
    private final UploadStore store = new UploadStore();
    private final AuditStore audit = new AuditStore();

    public UploadService(
            Database database,
            ObjectStore objects,
            PendingDeletions deletions,
            BagLimits limits,
            Duration maxAge,
            Clock clock) {
        this.database = database;
        this.objects = objects;
        this.deletions = deletions;
        this.limits = limits;
        this.maxAge = maxAge;
        this.clock = clock;
    }

    /** Receives files of a caller into a temporary session; close what it returns. */
    public UploadReceiver receive(Caller caller, String session) {
        return new UploadReceiver(this, caller, session);
    }

    public static String newSession() {
        return UUID.randomUUID().toString();
    }

    public boolean isTemporary(Caller caller, String session) {
        return session.indexOf('\0') < 0 // PostgreSQL refuses it
                && database.read(tx -> store.hasSession(tx, caller, session));
    }

    /** A complete upload that no conversation has claimed. */
    public Optional<Upload> findUnclaimed(Caller caller, FileId id) {
        return database.read(tx -> store.find(tx, caller, id))
                .filter(upload -> upload.claim() == null);
    }

    /** A page of these, the newest first, after one of them. */
    public List<Upload> unclaimed(Caller caller, Optional<FileId> after, int limit) {
        return database.read(
                tx -> {
                    Optional<Upload> last = after.flatMap(id -> store.find(tx, caller, id));
                    long time = last.map(Upload::createdAt).orElse(Long.MAX_VALUE);
                    String id = last.map(upload -> upload.id().value()).orElse("");
                    return store.unclaimed(tx, caller, time, id, limit);
                });
    }

    /** Deletes the unclaimed files of a session; false when there is no such session. */
    public boolean delete(Caller caller, String session) {
        if (!isTemporary(caller, session)) {
            return false;
        }
        List<Upload> waiting = database.read(tx -> store.waiting(tx, caller.tenant(), session));
        if (waiting.isEmpty()) {
            return false;
        }
        remove(waiting);
        return true;
    }

    /** Deletes files that were not claimed in time. */
    public void sweep() {
        long before = clock.millis() - maxAge.toMillis() - 1;
        List<Upload> page = database.read(tx -> store.expired(tx, before, -1, ""));
        while (!page.isEmpty()) {
            remove(page);
            Upload last = page.getLast();
            page =
                    database.read(
                            tx -> store.expired(tx, before, last.createdAt(), last.id().value()));
        }
    }

    /**
     * Deletes all unclaimed files of a person; {@code removed} runs in the transaction of each of
     * them.
     */
    public void removeAll(TenantId tenant, UserId user, Consumer<Transaction> removed) {
        List<Upload> page = database.read(tx -> store.allUnclaimed(tx, tenant, user));
        while (!page.isEmpty()) {
            remove(page, removed);
            page = database.read(tx -> store.allUnclaimed(tx, tenant, user));
        }
    }

    /** Deletes rows and then bytes. A file that has just been claimed stays. */
    public void remove(List<Upload> uploads) {
        remove(uploads, _ -> {});
    }

    private void remove(List<Upload> uploads, Consumer<Transaction> removed) {
        for (Upload upload : uploads) {
            database.change(
                    tx -> {
                        if (store.remove(tx, upload.id())) {
                            audit.add(tx, deletion(upload), clock.millis());
                            removed.accept(tx);
                        }
                        deleteIfRemoved(tx, upload);
                    });
        }
        deletions.runNewest();
    }

    /** Deletes the bytes of an upload whose row another request has removed. */
    public void deleteIfRemoved(Transaction tx, Upload upload) {
        if (!store.exists(tx, upload.id())) {
            deletions.add(tx, upload.file().key());
            deletions.addAllBeneath(tx, upload.partPrefix());
        }
    }

    /** Deletes the uploads that the conversation has claimed, with the bytes not yet in its bag. */
    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        store.unmovedKeys(tx, conversation).forEach(key -> deletions.add(tx, key));
        store.erase(tx, conversation);
    }

    public void requireFileLimit(Transaction tx, TenantId tenant, String session) {
        if (store.waiting(tx, tenant, session).size() >= limits.maxFiles()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE, "more than " + limits.maxFiles() + " files");
        }
    }

    public void requireByteLimit(Transaction tx, TenantId tenant, String session) {
        long bytes =
                store.waiting(tx, tenant, session).stream().mapToLong(u -> u.file().size()).sum();
        if (bytes > limits.maxBagBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the files together have more than " + limits.maxBagBytes() + " bytes");
        }
    }

    public Database database() {
        return database;
    }

    public ObjectStore objects() {
        return objects;
    }

    public UploadStore store() {
        return store;
    }

    public AuditStore audit() {
        return audit;
    }

    public BagLimits limits() {
        return limits;
    }

    public Duration maxAge() {
        return maxAge;
    }

    public Clock clock() {
        return clock;
    }

    private static AuditEvent deletion(Upload upload) {
        return AuditEvent.allowed(
                        upload.tenant(),
                        upload.session(),
                        AuditEvent.Action.DELETE,
                        upload.id().value())
                .with(Map.of("what", "upload"));
    }
}
