package dev.satchel.server.deletion;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
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

/**
 * Deletes a conversation for good, rows and bytes. Its turn is stopped first. Bytes that remain
 * after a crash are deleted by the next sweep of the pending deletions.
 */
public final class ConversationDeletion {
    private final Database database;
    private final ChatService chats;
    private final WorkspaceManager workspaces;
    private final PendingDeletions deletions;
    private final List<ConversationData> data;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    /**
     * @param data the rows of every feature, in an order that the references between tables allow
     */
    public ConversationDeletion(
            Database database,
            ChatService chats,
            WorkspaceManager workspaces,
            PendingDeletions deletions,
            List<ConversationData> data,
            Clock clock) {
        this.database = database;
        this.chats = chats;
        this.workspaces = workspaces;
        this.deletions = deletions;
        this.data = List.copyOf(data);
        this.clock = clock;
    }

    /** Refused like an unknown conversation when it is deleted for good already. */
    public void delete(Caller caller, ConversationId conversation)
            throws IOException, InterruptedException {
        chats.delete(caller, conversation); // hides it and stops its turn
        erase(caller.tenant(), conversation);
    }

    /** Deletes a conversation in which no run is active and none can start. */
    void erase(TenantId tenant, ConversationId conversation)
            throws IOException, InterruptedException {
        workspaces.delete(conversation); // after the last snapshot
        database.change(tx -> erase(tx, tenant, conversation));
        deletions.run();
    }

    private void erase(Transaction tx, TenantId tenant, ConversationId conversation) {
        deletions.addAllBeneath(tx, new BagId.OfConversation(conversation).prefix(tenant));
        deletions.addAllBeneath(tx, Snapshot.prefix(tenant, conversation));
        deletions.addAllBeneath(tx, conversation.value() + "/");
        data.forEach(rows -> rows.erase(tx, conversation));
        AuditEvent event =
                AuditEvent.allowed(
                        tenant,
                        conversation.value(),
                        AuditEvent.Action.DELETE,
                        conversation.value());
        audit.add(tx, event.with(Map.of("what", "session")), clock.millis());
    }
}
