package dev.satchel.server.conversation;

import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads rows of conversations. */
public final class ConversationReadStore {
    /** With the head of the thread and the marks of the chat; most have no row of these. */
    static final String SELECT =
            """
            SELECT * FROM conversation
              LEFT JOIN thread_head ON thread_head.conversation_id = id
              LEFT JOIN chat_mark ON chat_mark.conversation_id = id
            """;

    /** Whose a conversation is; every question about the rights on one ends here. */
    static final String OWN = " AND tenant_id = :tenant AND user_id = :user";

    /** Leaves out the conversations of headless runs. */
    private static final String IS_CHAT = " AND type <> 'run'";

    private static final String FIND =
            SELECT + " WHERE id = :id AND deleted_at IS NULL" + OWN + IS_CHAT;

    private static final String FIND_OF_ANY_TENANT = SELECT + " WHERE id = :id";

    private static final String FIND_DELETED =
            SELECT + " WHERE id = :id AND deleted_at > 0" + OWN + IS_CHAT;

    private static final String PAGE =
            SELECT
                    + """
                     WHERE tenant_id = :tenant AND user_id = :user AND deleted_at IS NULL AND type <> 'run'
                       AND (archived_at IS NOT NULL) = :archived
                       AND (:isPinnedAny OR (pinned_at IS NOT NULL) = :pinned)
                       AND (updated_at < :updated OR (updated_at = :updated AND id < :id))
                     ORDER BY updated_at DESC, id DESC
                     LIMIT :limit
                    """;

    private static final String UNUSED =
            SELECT
                    + """
                     WHERE updated_at < :before AND type <> 'run' AND deleted_at IS NULL
                       AND active_run_id IS NULL AND pinned_at IS NULL
                     ORDER BY updated_at, id
                     LIMIT :limit
                    """;

    private static final String SESSION_STATUS =
            "SELECT status FROM session WHERE conversation_id = :id";

    private static final String IS_FORK =
            "SELECT 1 FROM session WHERE conversation_id = :id AND parent_id IS NOT NULL";

    private static final String DELETED_BEFORE =
            SELECT
                    + """
                     WHERE deleted_at <= :before AND (deleted_at > :deleted OR (deleted_at = :deleted AND id > :id))
                     ORDER BY deleted_at, id
                     LIMIT :limit
                    """;

    /** A chat of the caller; not the conversation of a headless run. */
    Optional<Conversation> find(Transaction tx, Caller caller, ConversationId id) {
        return one(tx, FIND, caller, id);
    }

    /** Of any tenant, and deleted ones too: for internal work, never for a caller. */
    Optional<Conversation> find(Transaction tx, ConversationId id) {
        return tx.query(FIND_OF_ANY_TENANT)
                .bind("id", id.value())
                .map((row, _) -> conversation(row))
                .findOne();
    }

    public Optional<Conversation> findDeleted(Transaction tx, Caller caller, ConversationId id) {
        return one(tx, FIND_DELETED, caller, id);
    }

    /**
     * Which chats a list has.
     *
     * @param archived those that are archived, instead of those that are not
     * @param pinned only those that are pinned, or only those that are not; null for both
     */
    public record Filter(boolean archived, @Nullable Boolean pinned) {}

    public List<Conversation> page(Transaction tx, Caller caller, Filter filter, PageRequest page) {
        return tx.query(PAGE)
                .bind("archived", filter.archived())
                .bind("isPinnedAny", filter.pinned() == null)
                .bind("pinned", Boolean.TRUE.equals(filter.pinned()))
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("updated", page.from().time())
                .bind("id", page.from().id())
                .bind("limit", page.limit())
                .map((row, _) -> conversation(row))
                .list();
    }

    /**
     * The status of the session that belongs to the conversation; active when there is none. It
     * cannot change while the transaction has the row of the conversation locked.
     */
    public SessionStatus sessionStatus(Transaction tx, ConversationId id) {
        return tx.query(SESSION_STATUS)
                .bind("id", id.value())
                .mapTo(String.class)
                .findOne()
                .map(SessionStatus::of)
                .orElse(SessionStatus.ACTIVE);
    }

    /** Whether the conversation was created as a session of an agent. */
    public boolean isSession(Transaction tx, ConversationId id) {
        return tx.query(SESSION_STATUS)
                .bind("id", id.value())
                .mapTo(String.class)
                .findOne()
                .isPresent();
    }

    /** Whether the conversation began as a copy of another. */
    public boolean isFork(Transaction tx, ConversationId id) {
        return tx.query(IS_FORK).bind("id", id.value()).mapTo(Long.class).findOne().isPresent();
    }

    /** Deleted conversations of all tenants after a cursor, the first deleted first. */
    public List<Conversation> deletedBefore(
            Transaction tx, long before, DeletionCursor after, int limit) {
        return tx.query(DELETED_BEFORE)
                .bind("before", before)
                .bind("deleted", after.deletedAt())
                .bind("id", after.id())
                .bind("limit", limit)
                .map((row, _) -> conversation(row))
                .list();
    }

    /** Chats of all tenants that were not changed since a time, except pinned ones. */
    public List<Conversation> unused(Transaction tx, long before, int limit) {
        return tx.query(UNUSED)
                .bind("before", before)
                .bind("limit", limit)
                .map((row, _) -> conversation(row))
                .list();
    }

    private static Optional<Conversation> one(
            Transaction tx, String sql, Caller caller, ConversationId id) {
        return tx.query(sql)
                .bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .map((row, _) -> conversation(row))
                .findOne();
    }

    static Conversation conversation(ResultSet row) throws SQLException {
        long deletedAt = row.getLong("deleted_at");
        boolean notDeleted = row.wasNull();
        long last = row.getLong("message_count");
        long head = row.getLong("head_seq");
        boolean isHeadLast = row.wasNull();
        String message = row.getString("active_message_id");
        String run = row.getString("active_run_id");
        String pending = row.getString("workspace_pending_run");
        boolean isPinned = row.getString("pinned_at") != null;
        boolean isArchived = row.getString("archived_at") != null;
        return new Conversation(
                new ConversationId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                new UserId(row.getString("user_id")),
                row.getString("type"),
                row.getString("title"),
                row.getString("workflow_id"),
                last,
                isHeadLast ? last : head,
                last - row.getLong("off_path"),
                message == null ? null : new MessageId(message),
                run == null ? null : new RunId(run),
                row.getLong("generation"),
                row.getLong("created_at"),
                row.getLong("updated_at"),
                notDeleted ? null : deletedAt,
                pending == null ? null : new RunId(pending),
                isPinned,
                isArchived);
    }
}
