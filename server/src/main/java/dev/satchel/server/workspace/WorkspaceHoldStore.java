package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Transaction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who works in a workspace outside of runs. It stands in the conversation's row, as the run that is
 * on does: of a hold and a run that come at once one is first, and the other sees it.
 */
public final class WorkspaceHoldStore {
    private static final String FIND =
            """
            SELECT active_run_id, workspace_holder, workspace_held_until FROM conversation
             WHERE id = :id
            """;

    private final ConversationStore conversations;

    public WorkspaceHoldStore(ConversationStore conversations) {
        this.conversations = conversations;
    }

    /** The columns of a conversation's row that concern its workspace. */
    record Standing(@Nullable String run, @Nullable String holder, long heldUntil) {
        boolean isHeld(long now) {
            return holder != null && heldUntil >= now;
        }
    }

    /** False while another holder has it, or while another run is active. */
    boolean take(
            Transaction tx, ConversationId id, String holder, @Nullable String run, Span span) {
        return conversations.holdWorkspace(tx, id, holder, run, span.now(), span.until());
    }

    /** The time at which others have expired, and the end of the hold. */
    record Span(long now, long until) {}

    /** False when it has expired and another holder has it. */
    boolean renew(Transaction tx, ConversationId id, String holder, long until) {
        return conversations.renewHold(tx, id, holder, until);
    }

    void release(Transaction tx, ConversationId id, String holder) {
        conversations.releaseHold(tx, id, holder);
    }

    /** For the start of a server that is alone: every earlier holder is dead. */
    void releaseAll(Transaction tx) {
        conversations.releaseAllHolds(tx);
    }

    /** Empty when there is no such conversation. */
    Optional<Standing> find(Transaction tx, ConversationId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .map(
                        (row, _) ->
                                new Standing(
                                        row.getString("active_run_id"),
                                        row.getString("workspace_holder"),
                                        row.getLong("workspace_held_until")))
                .findOne();
    }
}
