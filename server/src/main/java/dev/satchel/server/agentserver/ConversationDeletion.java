package dev.satchel.server.agentserver;

import dev.satchel.server.access.Caller;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.deletion.PendingDeletions;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;

/**
 * Deletes a session for good: rows and bytes, with no way back. Its turn is stopped first; what a
 * crash leaves of the bytes goes with the next round of erasures.
 */
public final class ConversationDeletion {
    private final Database database;
    private final ChatService chats;
    private final UploadService uploads;
    private final PendingDeletions erasures;
    private final WorkspaceManager workspaces;
    private final Clock clock;
    private final WipeStore store = new WipeStore();
    private final AuditStore audit = new AuditStore();

    public ConversationDeletion(
            Database database,
            ChatService chats,
            UploadService uploads,
            PendingDeletions erasures,
            WorkspaceManager workspaces,
            Clock clock) {
        this.database = database;
        this.chats = chats;
        this.uploads = uploads;
        this.erasures = erasures;
        this.workspaces = workspaces;
        this.clock = clock;
    }

    /** A conversation or a temporary session; a second time there is nothing left to find. */
    void wipe(Caller caller, ConversationId session) throws IOException, InterruptedException {
        if (uploads.delete(caller.tenant(), session.value())) {
            return;
        }
        chats.delete(caller, session); // hides it and stops its turn, or says that there is none
        workspaces.delete(session); // after the last snapshot, so that none comes later
        database.change(tx -> wipe(tx, caller, session));
        erasures.run();
    }

    private void wipe(Transaction tx, Caller caller, ConversationId session) {
        store.unmovedKeys(tx, session).forEach(key -> erasures.add(tx, key));
        erasures.addAllBeneath(tx, new BagId.OfConversation(session).prefix(caller.tenant()));
        erasures.addAllBeneath(tx, Snapshot.prefix(caller.tenant(), session));
        erasures.addAllBeneath(tx, session.value() + "/");
        store.wipe(tx, session);
        AuditEvent event =
                AuditEvent.allowed(
                        caller.tenant(),
                        session.value(),
                        AuditEvent.Action.DELETE,
                        session.value());
        audit.add(tx, event.with(Map.of("what", "session")), clock.millis());
    }
}
