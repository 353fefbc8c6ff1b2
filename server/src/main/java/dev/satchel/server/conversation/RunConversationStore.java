package dev.satchel.server.conversation;

import dev.satchel.server.access.Caller;
import dev.satchel.server.database.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Rows of the conversations of headless runs. Each has the id of its run, so that the run has a
 * workspace, snapshots and a bag as a chat has them. Chats and sessions do not list them.
 */
public final class RunConversationStore {
    private static final String FIND_ANY =
            ConversationReadStore.SELECT
                    + """
             WHERE id = :id AND tenant_id = :tenant AND user_id = :user AND deleted_at IS NULL
            """;

    private static final String NOT_STARTED =
            ConversationReadStore.SELECT
                    + """
             WHERE type = 'run' AND generation = 0 AND created_at < :before
               AND (created_at > :created OR (created_at = :created AND id > :id))
               AND NOT EXISTS (SELECT 1 FROM run WHERE run.conversation_id = conversation.id)
             ORDER BY created_at, id LIMIT 100
            """;

    private final ConversationStore conversations;

    public RunConversationStore(ConversationStore conversations) {
        this.conversations = conversations;
    }

    /** The conversation of a headless run. */
    public static ConversationId idOf(RunId run) {
        return new ConversationId(run.value());
    }

    /** Creates the conversation of a headless run, unless it exists. */
    public void create(Transaction tx, Caller caller, RunId run, long now) {
        conversations.createForRun(tx, caller, run, now);
    }

    /** Creates the conversation if necessary and locks it for its run; returns the generation. */
    public long start(Transaction tx, Caller caller, RunId run, long now) {
        create(tx, caller, run, now);
        return conversations
                .takeForRun(tx, caller, run, now)
                .orElseThrow(() -> new IllegalStateException("a run is started twice"));
    }

    /** A chat or the conversation of a headless run of the caller: whatever has a workspace. */
    public Optional<Conversation> findAny(Transaction tx, Caller caller, ConversationId id) {
        return tx.query(FIND_ANY)
                .bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .map((row, _) -> ConversationReadStore.conversation(row))
                .findOne();
    }

    /**
     * Conversations of runs that were never started, because their server died before; a page after
     * another of them.
     */
    public List<Conversation> notStarted(
            Transaction tx, long before, Optional<Conversation> after) {
        return tx.query(NOT_STARTED)
                .bind("before", before)
                .bind("created", after.map(Conversation::createdAt).orElse(-1L))
                .bind("id", after.map(last -> last.id().value()).orElse(""))
                .map((row, _) -> ConversationReadStore.conversation(row))
                .list();
    }
}
