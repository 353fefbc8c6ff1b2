package dev.satchel.server.upload;

import dev.satchel.server.access.Caller;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.turn.Chats;
import dev.satchel.server.workspace.WorkspaceKeeper;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;

/**
 * Deletes a session for good: rows and bytes, with no way back. Its turn is stopped first; what a
 * crash leaves of the bytes goes with the next round of erasures.
 */
public final class Wipes {
    private final Database database;
    private final Chats chats;
    private final Uploads uploads;
    private final Erasures erasures;
    private final WorkspaceKeeper workspaces;
    private final Clock clock;
    private final WipeStore store = new WipeStore();
    private final AuditStore audit = new AuditStore();

    public Wipes(
            Database database,
            Chats chats,
            Uploads uploads,
            Erasures erasures,
            WorkspaceKeeper workspaces,
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
        workspaces.discard(session); // after the last snapshot, so that none comes later
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
