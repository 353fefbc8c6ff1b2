package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.WriteBackResponse.Skipped;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagWriter.Target;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.run.Run;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds, lists and deletes the files of bags, and deletes incomplete ones. */
public final class BagService {
    private static final Logger LOG = LoggerFactory.getLogger(BagService.class);
    private static final Duration ABANDONED_AFTER = Duration.ofHours(24);

    private final Database database;
    private final BagStore store;
    private final ObjectStore objects;
    private final BagLimits limits;
    private final Clock clock;
    private final BagPathStore paths;
    private final AuditStore audit = new AuditStore();

    public BagService(
            Database database, BagStore store, ObjectStore objects, BagLimits limits, Clock clock) {
        this.database = database;
        this.store = store;
        this.paths = store.paths();
        this.objects = objects;
        this.limits = limits;
        this.clock = clock;
    }

    public BagLimits limits() {
        return limits;
    }

    /** Adds files of a person; the caller closes it. */
    public BagWriter fromPerson(TenantId tenant, BagId bag) {
        return new BagWriter(
                database,
                store,
                objects,
                new Target(tenant, bag, null, BagFile.FROM_USER),
                limits,
                clock);
    }

    /** Adds files of a run, to the bag of its conversation or its own; the caller closes it. */
    public OutputWriter fromRun(Run run) {
        return new OutputWriter(database, store, objects, run, limits, clock);
    }

    /** What runs of the conversation handed in or left behind before this one. */
    public List<RunConfig.KnownOutput> knownOutputs(Run run) {
        return database.read(tx -> store.outputs().known(tx, run));
    }

    public static BagId bagOf(Run run) {
        return new BagId.OfConversation(run.conversation());
    }

    public List<BagFile> list(BagId bag) {
        return database.read(tx -> store.list(tx, bag));
    }

    /** The versions of files that the path to a message has. */
    public List<BagFile> ofPath(Transaction tx, ConversationId id, MessageTree tree, long message) {
        Set<FileId> elsewhere = paths.elsewhere(tx, id, tree, message);
        return store.listVersions(tx, new BagId.OfConversation(id)).stream()
                .filter(file -> !elsewhere.contains(file.id()))
                .toList();
    }

    /** Every version of each file. */
    List<BagFile> listVersions(BagId bag) {
        return database.read(tx -> store.listVersions(tx, bag));
    }

    public BagFile get(BagId bag, FileId id) {
        return database.read(tx -> store.find(tx, bag, id)).orElseThrow(BagService::noSuchFile);
    }

    /** A file of the caller by its id only. */
    public BagFile get(Caller caller, FileId id) {
        return database.read(
                        tx -> store.conversationOf(tx, caller, id).flatMap(_ -> store.find(tx, id)))
                .orElseThrow(BagService::noSuchFile);
    }

    /** The files that a run has written back. */
    public List<BagFile> ofRun(RunId run) {
        return database.read(tx -> store.ofRun(tx, run));
    }

    /** The files that a run has tried to write back, with the reasons. */
    public List<Skipped> notHandedOver(RunId run) {
        return database.read(tx -> store.outputs().notHandedOver(tx, run)).stream()
                .map(
                        file -> {
                            String path = file.path().substring(OutputStore.FOLDER.length());
                            return new Skipped(
                                    FileNames.leaf(path), file.reason(), path, file.size());
                        })
                .toList();
    }

    public BagFile ofRun(RunId run, FileId id) {
        return database.read(tx -> store.ofRun(tx, run, id)).orElseThrow(BagService::noSuchFile);
    }

    /** Deletes a file; its name stays reserved. */
    public void delete(ConversationId conversation, FileId id) {
        boolean deleted =
                database.write(
                        tx -> {
                            Optional<BagFile> file = store.find(tx, id);
                            long now = clock.millis();
                            boolean gone = store.delete(tx, conversation, id, now);
                            if (gone) {
                                file.ifPresent(f -> audit.add(tx, deletion(f, conversation), now));
                            }
                            return gone;
                        });
        if (!deleted) {
            throw noSuchFile();
        }
    }

    /** The conversation of a file of the caller. */
    public ConversationId conversationOf(Caller caller, FileId id) {
        return database.read(tx -> store.conversationOf(tx, caller, id))
                .orElseThrow(BagService::noSuchFile);
    }

    /** The files of the active path when the run was started. */
    public List<BagFile> ofDispatch(Run run) {
        return database.read(
                tx -> {
                    Set<FileId> elsewhere = paths.elsewhere(tx, run.conversation());
                    return store.dispatched(tx, bagOf(run), run.generation()).stream()
                            .filter(file -> !elsewhere.contains(file.id()))
                            .toList();
                });
    }

    /** Deletes reservations whose server has died. */
    public void sweep() {
        long before = clock.millis() - ABANDONED_AFTER.toMillis();
        List<BagFile> page = database.read(tx -> store.abandoned(tx, before, -1, ""));
        while (!page.isEmpty()) {
            page.forEach(this::deleteAbandoned);
            BagFile last = page.getLast();
            page =
                    database.read(
                            tx -> store.abandoned(tx, before, last.createdAt(), last.id().value()));
        }
    }

    private void deleteAbandoned(BagFile file) {
        try {
            objects.delete(file.storageKey());
            database.change(tx -> store.release(tx, file.id()));
        } catch (IOException e) {
            LOG.warn("could not delete an incomplete upload fileId={}", file.id().value(), e);
        }
    }

    private static AuditEvent deletion(BagFile file, ConversationId conversation) {
        return AuditEvent.allowed(
                        file.tenant(),
                        conversation.value(),
                        AuditEvent.Action.DELETE,
                        file.id().value())
                .with(Map.of("what", "file"));
    }

    private static SatchelException noSuchFile() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such file");
    }
}
