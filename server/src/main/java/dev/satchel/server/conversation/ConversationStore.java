package dev.satchel.server.conversation;

import dev.satchel.server.access.Caller;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.search.SearchIndexStore;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Rows of conversations, with the lock of the turn in progress and the place and lock of the
 * workspace. Every change of a lock is one conditional statement.
 */
public final class ConversationStore implements ConversationData {
    private static final String INSERT =
            """
            INSERT INTO conversation (id, tenant_id, user_id, type, title, workflow_id, message_count, generation,
                                      created_at, updated_at)
            VALUES (:id, :tenant, :user, :type, :title, :workflow, 0, 0, :now, :now)
            """;

    private static final String INSERT_IF_ABSENT = INSERT + "ON CONFLICT (id) DO NOTHING";

    private static final String RENAME =
            """
            UPDATE conversation SET title = :title
             WHERE id = :id AND tenant_id = :tenant AND user_id = :user AND deleted_at IS NULL AND type <> 'run'
            """;

    /** Only a free conversation can be locked, and each lock is a new generation. */
    private static final String TAKE =
            """
            UPDATE conversation
               SET active_message_id = :message, active_run_id = :run, generation = generation + 1,
                   updated_at = :now
             WHERE id = :id AND tenant_id = :tenant AND user_id = :user AND deleted_at IS NULL
               AND active_run_id IS NULL AND type = :type
            RETURNING generation
            """;

    private static final String FREE =
            """
            UPDATE conversation SET active_message_id = NULL, active_run_id = NULL, updated_at = :now
             WHERE id = :id AND active_run_id = :run AND generation = :generation
            """;

    private static final String ADVANCE =
            """
            UPDATE conversation SET generation = generation + 1
             WHERE id = :id AND generation = :generation AND COALESCE(active_run_id, '') = COALESCE(:run, '')
            """;

    private static final String NEXT_SEQ =
            """
            UPDATE conversation SET message_count = message_count + 1
             WHERE id = :id
            RETURNING message_count, (SELECT head_seq FROM thread_head WHERE conversation_id = id)
            """;

    private static final String TITLE_IF_ABSENT =
            "UPDATE conversation SET title = :title WHERE id = :id AND title IS NULL";

    private static final String LOCK =
            """
            UPDATE conversation SET updated_at = updated_at
             WHERE id = :id AND deleted_at IS NULL
            """;

    private static final String HOLD_WORKSPACE =
            """
            UPDATE conversation SET workspace_holder = :holder, workspace_held_until = :until
             WHERE id = :id AND (active_run_id IS NULL OR active_run_id = :run)
               AND (workspace_holder IS NULL OR workspace_held_until < :now)
            """;

    private static final String RENEW_HOLD =
            """
            UPDATE conversation SET workspace_held_until = :until
             WHERE id = :id AND workspace_holder = :holder
            """;

    private static final String RELEASE_HOLDS =
            """
            UPDATE conversation SET workspace_holder = NULL, workspace_held_until = NULL
             WHERE workspace_holder IS NOT NULL
            """;

    private static final String RELEASE_HOLD =
            RELEASE_HOLDS + " AND id = :id AND workspace_holder = :holder";

    /** Only from the expected node: of two servers that move a workspace, one succeeds. */
    private static final String LEAVE_NODE =
            """
            UPDATE conversation SET workspace_node = :to
             WHERE id = :id AND COALESCE(workspace_node, 'unknown') = COALESCE(:from, 'unknown')
            """;

    private static final String MOVE_WORKSPACE = LEAVE_NODE + " AND workspace_pending IS NULL";

    private static final String CLEAR_WORKSPACE = LEAVE_NODE + " AND active_run_id IS NULL";

    /** A snapshot that ended meanwhile has the files. */
    private static final String MARK_PENDING =
            """
            UPDATE conversation SET workspace_pending = :place, workspace_pending_run = :run
             WHERE id = :id AND generation = :generation
               AND NOT EXISTS (SELECT 1 FROM snapshot s
                                WHERE s.conversation_id = :id AND s.generation >= :generation)
            """;

    private static final String CLEAR_PENDING =
            """
            UPDATE conversation SET workspace_pending = NULL, workspace_pending_run = NULL
             WHERE id = :id AND workspace_pending IS NOT NULL
            """;

    /** Every snapshot of an earlier generation is refused from now on. */
    private static final String DISCARD_PENDING =
            """
            UPDATE conversation
               SET workspace_pending = NULL, workspace_pending_run = NULL, generation = generation + 1,
                   workspace_generation = generation + 1,
                   workspace_node = CASE WHEN workspace_node IS NULL THEN NULL ELSE '' END
             WHERE id = :id AND workspace_pending = :place AND active_run_id IS NULL
            """;

    private static final String ERASE = "DELETE FROM conversation WHERE id = :id";

    private static final String DELETE =
            """
            UPDATE conversation SET deleted_at = :now
             WHERE id = :id AND tenant_id = :tenant AND user_id = :user AND deleted_at IS NULL
            """;

    private static final String RESTORE =
            """
            UPDATE conversation SET deleted_at = NULL
             WHERE id = :id AND tenant_id = :tenant AND user_id = :user AND deleted_at > 0
            """;

    private static final String EXPIRE_RUNS =
            """
            UPDATE conversation SET deleted_at = 0
             WHERE id IN (SELECT id FROM conversation
                           WHERE type = 'run' AND created_at < :before AND updated_at < :before
                             AND deleted_at IS NULL AND active_run_id IS NULL
                           ORDER BY created_at, id LIMIT 500)
            """;

    private static final String SEAL =
            """
            UPDATE conversation SET deleted_at = 0
             WHERE id = :id AND deleted_at <= :before AND active_run_id IS NULL
            """;

    private final MessageStore messages = new MessageStore();
    private final ConversationReadStore reading = new ConversationReadStore();
    private final SearchIndexStore index = new SearchIndexStore();

    public void create(
            Transaction tx,
            Caller caller,
            ConversationId id,
            @Nullable String title,
            @Nullable String workflowId,
            long now) {
        Update insert = tx.update(INSERT).bind("title", title).bind("workflow", workflowId);
        insert(insert.bind("type", Conversation.TYPE), caller, id.value(), now);
        if (title != null) {
            index.setTitle(tx, id.value(), title);
        }
    }

    /** Does nothing when the id is in use, by any tenant. */
    public void createIfAbsent(Transaction tx, Caller caller, ConversationId id, long now) {
        insertIfAbsent(tx, Conversation.TYPE, caller, id.value(), now);
    }

    private static void insertIfAbsent(
            Transaction tx, String type, Caller caller, String id, long now) {
        Update insert = tx.update(INSERT_IF_ABSENT).bind("title", (String) null);
        insert(insert.bind("workflow", (String) null).bind("type", type), caller, id, now);
    }

    private static void insert(Update insert, Caller caller, String id, long now) {
        insert.bind("id", id)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("now", now)
                .execute();
    }

    /** The conversation of a headless run; does nothing when it exists. */
    void createForRun(Transaction tx, Caller caller, RunId run, long now) {
        insertIfAbsent(tx, Conversation.TYPE_OF_RUN, caller, run.value(), now);
    }

    /**
     * A chat of the caller; not the conversation of a headless run. A chat of another person of the
     * tenant is not found, also for an owner.
     */
    public Optional<Conversation> find(Transaction tx, Caller caller, ConversationId id) {
        return reading.find(tx, caller, id);
    }

    /** Of any tenant, and deleted ones too: for internal work, never for a caller. */
    public Optional<Conversation> find(Transaction tx, ConversationId id) {
        return reading.find(tx, id);
    }

    /** Reads of other kinds: lists, deleted conversations, the status of a session. */
    public ConversationReadStore reading() {
        return reading;
    }

    public boolean rename(Transaction tx, Caller caller, ConversationId id, String title) {
        return title(tx, of(tx.update(RENAME), caller, id), id, title);
    }

    public void titleIfAbsent(Transaction tx, ConversationId id, String title) {
        boolean _ = title(tx, tx.update(TITLE_IF_ABSENT).bind("id", id.value()), id, title);
    }

    private boolean title(Transaction tx, Update update, ConversationId id, String title) {
        boolean changed = update.bind("title", title).execute() == 1;
        if (changed) {
            index.setTitle(tx, id.value(), title);
        }
        return changed;
    }

    private static Update of(Update update, Caller caller, ConversationId id) {
        return update.bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value());
    }

    /** Locks a free chat of the caller for a run; empty when another run has it. */
    public OptionalLong take(
            Transaction tx,
            Caller caller,
            ConversationId id,
            MessageId message,
            RunId run,
            long now) {
        return take(tx.query(TAKE).bind("type", Conversation.TYPE), caller, id, message, run, now);
    }

    /** Locks the conversation of a headless run for that run. */
    OptionalLong takeForRun(Transaction tx, Caller caller, RunId run, long now) {
        ConversationId id = new ConversationId(run.value());
        Query take = tx.query(TAKE).bind("type", Conversation.TYPE_OF_RUN);
        return take(take, caller, id, MessageId.random(), run, now);
    }

    private static OptionalLong take(
            Query take, Caller caller, ConversationId id, MessageId message, RunId run, long now) {
        return take.bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("message", message.value())
                .bind("run", run.value())
                .bind("now", now)
                .mapTo(Long.class)
                .findOne()
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** Unlocks the conversation, unless a newer generation has it. */
    public boolean free(Transaction tx, ConversationId id, RunId run, long generation, long now) {
        Update free = tx.update(FREE).bind("id", id.value()).bind("run", run.value());
        return free.bind("generation", generation).bind("now", now).execute() == 1;
    }

    /** Refuses earlier writers, for the next attempt of a run or without one; false when late. */
    public boolean advance(
            Transaction tx, ConversationId id, @Nullable RunId run, long generation) {
        Update advance = tx.update(ADVANCE).bind("run", run == null ? null : run.value());
        return advance.bind("id", id.value()).bind("generation", generation).execute() == 1;
    }

    /** The shape of threads, and new messages. */
    public ThreadStore threads() {
        return new ThreadStore(this, messages);
    }

    /** The number of a new message, and that of the head unless it is the last message. */
    ThreadStore.Place next(Transaction tx, ConversationId id) {
        return tx.query(NEXT_SEQ)
                .bind("id", id.value())
                .map((row, _) -> ThreadStore.place(row))
                .one();
    }

    /** Reads messages; {@link #threads} adds them. */
    public MessageStore messages() {
        return messages;
    }

    public boolean delete(Transaction tx, Caller caller, ConversationId id, long now) {
        return of(tx.update(DELETE), caller, id).bind("now", now).execute() == 1;
    }

    public boolean restore(Transaction tx, Caller caller, ConversationId id) {
        return of(tx.update(RESTORE), caller, id).execute() == 1;
    }

    /** Lets headless runs that ended before a time be erased: how many; there may be more. */
    public int expireRuns(Transaction tx, long before) {
        return tx.update(EXPIRE_RUNS).bind("before", before).execute();
    }

    /** Ends the time to restore; false when it was restored, deleted later, or a run is active. */
    public boolean seal(Transaction tx, ConversationId id, long before) {
        return tx.update(SEAL).bind("id", id.value()).bind("before", before).execute() == 1;
    }

    /**
     * Locks the row until the transaction ends; false when the conversation is deleted. No turn
     * starts and no other caller of this method continues meanwhile.
     */
    public boolean lock(Transaction tx, ConversationId id) {
        return tx.update(LOCK).bind("id", id.value()).execute() == 1;
    }

    /** Reserves the workspace; false while it is held, or while another run than this is active. */
    public boolean holdWorkspace(
            Transaction tx,
            ConversationId id,
            String holder,
            @Nullable String run,
            long now,
            long until) {
        Update hold = held(tx.update(HOLD_WORKSPACE), id, holder).bind("run", run);
        return hold.bind("now", now).bind("until", until).execute() == 1;
    }

    /** False when the hold has expired and another holder has it. */
    public boolean renewHold(Transaction tx, ConversationId id, String holder, long until) {
        return held(tx.update(RENEW_HOLD), id, holder).bind("until", until).execute() == 1;
    }

    private static Update held(Update update, ConversationId id, String holder) {
        return update.bind("id", id.value()).bind("holder", holder);
    }

    public void releaseHold(Transaction tx, ConversationId id, String holder) {
        held(tx.update(RELEASE_HOLD), id, holder).execute();
    }

    public void releaseAllHolds(Transaction tx) {
        tx.update(RELEASE_HOLDS).execute();
    }

    /** False when the live workspace was not at {@code from}, or has files of no snapshot. */
    public boolean moveWorkspace(
            Transaction tx, ConversationId id, @Nullable String from, @Nullable String to) {
        return moveWorkspace(tx.update(MOVE_WORKSPACE), id, from, to);
    }

    /** Records that no node has the live workspace; refused while a run is active. */
    public boolean clearWorkspace(Transaction tx, ConversationId id, @Nullable String from) {
        return moveWorkspace(tx.update(CLEAR_WORKSPACE), id, from, "");
    }

    private static boolean moveWorkspace(
            Update move, ConversationId id, @Nullable String from, @Nullable String to) {
        return move.bind("id", id.value()).bind("from", from).bind("to", to).execute() == 1;
    }

    /** Records where the files of a run are that no snapshot has; false when one has them. */
    public boolean markPending(
            Transaction tx, ConversationId id, String place, RunId run, long generation) {
        Update mark = tx.update(MARK_PENDING).bind("id", id.value()).bind("place", place);
        return mark.bind("run", run.value()).bind("generation", generation).execute() == 1;
    }

    /** A snapshot has the files of the workspace. */
    public void clearPending(Transaction tx, ConversationId id) {
        tx.update(CLEAR_PENDING).bind("id", id.value()).execute();
    }

    /** Gives up files that are in no snapshot; false when they were saved, or a run is active. */
    public boolean discardPending(Transaction tx, ConversationId id, String place) {
        return tx.update(DISCARD_PENDING).bind("id", id.value()).bind("place", place).execute()
                == 1;
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        index.erase(tx, conversation.value());
        messages.erase(tx, conversation);
        threads().erase(tx, conversation);
        tx.update(ERASE).bind("id", conversation.value()).execute();
    }
}
