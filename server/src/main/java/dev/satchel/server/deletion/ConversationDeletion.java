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
import dev.satchel.server.conversation.ConversationStore.DeletionCursor;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes conversations for good, rows and bytes: those of a caller at once, deleted ones after a
 * grace time. Each step can be repeated, so that a sweep finishes what a crash interrupted.
 */
public final class ConversationDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(ConversationDeletion.class);
    private static final int PAGE = 200;

    private final Database database;
    private final ChatService chats;
    private final WorkspaceManager workspaces;
    private final PendingDeletions deletions;
    private final ConversationRows rows;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

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
                database.read(tx -> rows.conversations().findDeleted(tx, caller.tenant(), id))
                        .orElseThrow(
                                () -> new SatchelException(ErrorCode.NOT_FOUND, "no such chat"));
        erase(conversation, Long.MAX_VALUE, Map.of("what", "session"));
        deletions.runNewest();
    }

    /** Deletes the conversation of a headless run that has ended or was never started. */
    void deleteRun(Conversation conversation) throws IOException, InterruptedException {
        ConversationId id = conversation.id();
        long now = clock.millis();
        database.change(
                tx -> {
                    boolean _ = rows.conversations().delete(tx, conversation.tenant(), id, now);
                });
        erase(conversation, Long.MAX_VALUE, Map.of("what", "run"));
        deletions.runNewest();
    }

    /** Deletes the conversations that were deleted before a time, and what a crash has left. */
    public void sweep(long before) {
        DeletionCursor cursor = DeletionCursor.START;
        while (!Thread.currentThread().isInterrupted()) {
            DeletionCursor from = cursor;
            List<Conversation> page =
                    database.read(tx -> rows.conversations().deletedBefore(tx, before, from, PAGE));
            if (page.isEmpty()) {
                break;
            }
            page.forEach(conversation -> attempt(conversation, before));
            cursor = DeletionCursor.after(page.getLast());
        }
        deletions.run();
    }

    private void attempt(Conversation conversation, long before) {
        try {
            erase(conversation, before, Map.of("what", "session", "by", "retention"));
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot delete a chat for good chatId={}", conversation.id().value(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sealed first: a chat that is restored must still have its workspace. */
    private void erase(Conversation conversation, long before, Map<String, String> detail)
            throws IOException, InterruptedException {
        ConversationId id = conversation.id();
        if (!database.write(tx -> rows.conversations().seal(tx, id, before))) {
            return;
        }
        workspaces.delete(id); // after the last snapshot
        database.change(tx -> erase(tx, conversation, detail));
    }

    private void erase(Transaction tx, Conversation conversation, Map<String, String> detail) {
        ConversationId id = conversation.id();
        deletions.addAllBeneath(tx, new BagId.OfConversation(id).prefix(conversation.tenant()));
        deletions.addAllBeneath(tx, Snapshot.prefix(conversation.tenant(), id));
        deletions.addAllBeneath(tx, id.value() + "/");
        rows.all().forEach(data -> data.erase(tx, id));
        AuditEvent event =
                AuditEvent.allowed(
                        conversation.tenant(), id.value(), AuditEvent.Action.DELETE, id.value());
        audit.add(tx, event.with(detail), clock.millis());
    }
}
