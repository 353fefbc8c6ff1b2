package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who works in a workspace outside of runs. It stands in the conversation's row, as the run that is
 * on does: of a hold and a run that come at once one is first, and the other sees it.
 */
final class WorkspaceHoldStore {
    private static final String TAKE =
            """
            UPDATE conversation SET workspace_holder = :holder, workspace_held_until = :until
             WHERE id = :id AND (active_run_id IS NULL OR active_run_id = :run)
               AND (workspace_holder IS NULL OR workspace_held_until < :now)
            """;

    private static final String RENEW =
            """
            UPDATE conversation SET workspace_held_until = :until
             WHERE id = :id AND workspace_holder = :holder
            """;

    private static final String RELEASE =
            """
            UPDATE conversation SET workspace_holder = NULL, workspace_held_until = NULL
             WHERE id = :id AND workspace_holder = :holder
            """;

    private static final String RELEASE_ALL =
            """
            UPDATE conversation SET workspace_holder = NULL, workspace_held_until = NULL
             WHERE workspace_holder IS NOT NULL
            """;

    private static final String FIND =
            """
            SELECT active_run_id, workspace_holder, workspace_held_until FROM conversation
             WHERE id = :id
            """;

    /** What a conversation's row says of its workspace. */
    record Standing(@Nullable String run, @Nullable String holder, long heldUntil) {
        boolean isHeld(long now) {
            return holder != null && heldUntil >= now;
        }
    }

    /** False while somebody else holds it, or while any run but this one is on. */
    boolean take(
            Transaction tx, ConversationId id, String holder, @Nullable String run, Span span) {
        return tx.update(TAKE)
                        .bind("id", id.value())
                        .bind("holder", holder)
                        .bind("run", run)
                        .bind("now", span.now())
                        .bind("until", span.until())
                        .execute()
                == 1;
    }

    /** From now until it counts no more. */
    record Span(long now, long until) {}

    /** False when it has run out and is somebody else's. */
    boolean renew(Transaction tx, ConversationId id, String holder, long until) {
        return tx.update(RENEW)
                        .bind("id", id.value())
                        .bind("holder", holder)
                        .bind("until", until)
                        .execute()
                == 1;
    }

    void release(Transaction tx, ConversationId id, String holder) {
        tx.update(RELEASE).bind("id", id.value()).bind("holder", holder).execute();
    }

    /** For a server that is alone and has only begun: whoever held anything is dead. */
    void releaseAll(Transaction tx) {
        tx.update(RELEASE_ALL).execute();
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
