package dev.satchel.server.deletion;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.DeletionCursor;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes conversations for good, rows and bytes: those of a caller at once, deleted ones after a
 * grace time. Each step can be repeated, so that a sweep finishes what a crash interrupted.
 */
public final class ConversationDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(ConversationDeletion.class);
    private static final int PAGE = 200;
    private static final int EXPIRE_PAGE = 200;

    /** As the time of its deletion it leaves no time to restore. */
    private static final long LONG_AGO = 1;

    private final Database database;
    private final ChatService chats;
    private final WorkspaceManager workspaces;
    private final PendingDeletions deletions;
    private final ConversationRows rows;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();
    private final ErasureReceiptStore receipts = new ErasureReceiptStore();

    public ConversationDeletion(
            Database database,
            ChatService chats,
            WorkspaceManager workspaces,
            PendingDeletions deletions,
            ConversationRows rows,
            Clock clock) {
        this.database = database;
        this.chats = chats;
        this.workspaces = workspaces;
        this.deletions = deletions;
        this.rows = rows;
        this.clock = clock;
    }

    /**
     * The rows that belong to a conversation.
     *
     * @param all the rows of every feature, in an order that the references between tables allow
     */
    public record ConversationRows(ConversationStore conversations, List<ConversationData> all) {
        public ConversationRows {
            all = List.copyOf(all);
        }
    }

    /** Refused like an unknown conversation when it is deleted for good already. */
    public void delete(Caller caller, ConversationId id) throws IOException, InterruptedException {
        chats.delete(caller, id); // hides it and stops its turn
        Conversation conversation =
                database.read(tx -> rows.conversations().reading().findDeleted(tx, caller, id))
                        .orElseThrow(
                                () -> new SatchelException(ErrorCode.NOT_FOUND, "no such chat"));
        eraseNow(conversation, "session");
    }

    private void eraseNow(Conversation conversation, String what)
            throws IOException, InterruptedException {
        for (Conversation sealed : seal(List.of(conversation), Long.MAX_VALUE)) {
            erase(sealed, tx -> audit.add(tx, deletion(sealed, what), clock.millis()));
        }
        deletions.runNewest();
    }

    /** Deletes the conversation of a headless run that has ended or was never started. */
    void deleteRun(Conversation conversation) throws IOException, InterruptedException {
        ConversationId id = conversation.id();
        long now = clock.millis();
        database.change(
                tx -> {
                    boolean _ = rows.conversations().delete(tx, ownerOf(conversation), id, now);
                });
        eraseNow(conversation, "run");
    }

    private static Caller ownerOf(Conversation conversation) {
        return Caller.onBehalfOf(conversation.tenant(), conversation.user());
    }

    /**
     * Erases a chat or the conversation of a headless run, whatever its state, after its run was
     * stopped. Does nothing when it is gone.
     */
    void eraseAny(ConversationId id) throws IOException, InterruptedException {
        Optional<Conversation> found = database.read(tx -> rows.conversations().find(tx, id));
        if (found.isPresent()) {
            Conversation conversation = found.get();
            database.change(
                    tx -> {
                        boolean _ =
                                rows.conversations()
                                        .delete(tx, ownerOf(conversation), id, clock.millis());
                    });
            chats.stopAfterDelete(id);
            eraseNow(conversation, "chat");
        }
    }

    /** Marks headless runs that ended before a time for the next sweep. */
    void expireRuns(long before) {
        int marked = 1;
        while (marked > 0) {
            marked = database.write(tx -> rows.conversations().expireRuns(tx, before));
        }
    }

    /** Marks chats that nobody has used since a time for the next sweep, except pinned ones. */
    void expireChats(long before) {
        List<Conversation> page;
        do {
            page =
                    database.read(
                            tx -> rows.conversations().reading().unused(tx, before, EXPIRE_PAGE));
            page.forEach(chat -> database.change(tx -> expire(tx, chat.id(), before)));
        } while (!page.isEmpty() && !Thread.currentThread().isInterrupted());
    }

    /** A turn that has begun meanwhile, or a pin, keeps the chat. */
    private void expire(Transaction tx, ConversationId id, long before) {
        if (!rows.conversations().lock(tx, id)) {
            return;
        }
        Optional<Conversation> unused =
                rows.conversations().find(tx, id).filter(chat -> chat.isUnusedSince(before));
        if (unused.isPresent()) {
            boolean _ = rows.conversations().delete(tx, ownerOf(unused.get()), id, LONG_AGO);
            audit.add(tx, deletion(unused.get(), "expired chat"), clock.millis());
        }
    }

    /** Deletes the conversations that were deleted before a time, and what a crash has left. */
    public void sweep(long before) {
        DeletionCursor cursor = DeletionCursor.START;
        while (!Thread.currentThread().isInterrupted()) {
            DeletionCursor from = cursor;
            List<Conversation> page =
                    database.read(
                            tx ->
                                    rows.conversations()
                                            .reading()
                                            .deletedBefore(tx, before, from, PAGE));
            if (page.isEmpty()) {
                break;
            }
            seal(page, before).forEach(this::attempt);
            cursor = DeletionCursor.after(page.getLast());
        }
        deletions.run();
    }

    /**
     * A sealed chat cannot be restored, so its workspace can be deleted before its rows. Returns
     * those that are still deleted and have no active run.
     */
    private List<Conversation> seal(List<Conversation> deleted, long before) {
        return database.write(
                tx ->
                        deleted.stream()
                                .filter(chat -> rows.conversations().seal(tx, chat.id(), before))
                                .toList());
    }

    private void attempt(Conversation sealed) {
        try {
            erase(sealed, _ -> {}); // the audit log has a row from when the caller deleted it
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot delete a chat for good chatId={}", sealed.id().value(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void erase(Conversation sealed, Consumer<Transaction> record)
            throws IOException, InterruptedException {
        workspaces.delete(sealed.id()); // after the last snapshot
        boolean _ =
                database.writeWithoutTimeLimit( // a log may have very many lines
                        tx -> {
                            erase(tx, sealed);
                            record.accept(tx);
                            return Boolean.TRUE;
                        });
    }

    private void erase(Transaction tx, Conversation conversation) {
        ConversationId id = conversation.id();
        receipts.addConversation(tx, id);
        deletions.addAllBeneath(tx, new BagId.OfConversation(id).prefix(conversation.tenant()));
        deletions.addAllBeneath(tx, Snapshot.prefix(conversation.tenant(), id));
        deletions.addAllBeneath(tx, id.value() + "/");
        rows.all().forEach(data -> data.erase(tx, id));
    }

    private static AuditEvent deletion(Conversation conversation, String what) {
        String id = conversation.id().value();
        return AuditEvent.allowed(conversation.tenant(), id, AuditEvent.Action.DELETE, id)
                .with(Map.of("what", what));
    }
}
