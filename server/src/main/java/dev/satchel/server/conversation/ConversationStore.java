package dev.satchel.server.conversation;

import dev.satchel.http.PageRequest;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Rows of conversations and messages. Everything that changes a thread is one conditional
 * statement.
 */
public final class ConversationStore {
    private static final String INSERT =
            """
            INSERT INTO conversation (id, tenant_id, type, title, workflow_id, message_count, generation,
                                      created_at, updated_at)
            VALUES (:id, :tenant, :type, :title, :workflow, 0, 0, :now, :now)
            """;

    private static final String INSERT_IF_ABSENT = INSERT + "ON CONFLICT (id) DO NOTHING";

    private static final String FIND =
            "SELECT * FROM conversation WHERE id = :id AND tenant_id = :tenant AND deleted_at IS"
                    + " NULL";

    private static final String FIND_ANYBODYS = "SELECT * FROM conversation WHERE id = :id";

    private static final String FIND_DELETED =
            "SELECT * FROM conversation WHERE id = :id AND tenant_id = :tenant AND deleted_at IS"
                    + " NOT NULL";

    private static final String PAGE =
            """
            SELECT * FROM conversation
             WHERE tenant_id = :tenant AND deleted_at IS NULL
               AND (updated_at < :updated OR (updated_at = :updated AND id < :id))
             ORDER BY updated_at DESC, id DESC
             LIMIT :limit
            """;

    private static final String RENAME =
            """
            UPDATE conversation SET title = :title
             WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NULL
            """;

    /** The lease: only a free conversation can be taken, and each taking is a new generation. */
    private static final String TAKE =
            """
            UPDATE conversation
               SET active_message_id = :message, active_run_id = :run, generation = generation + 1,
                   updated_at = :now
             WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NULL AND active_run_id IS NULL
            RETURNING generation
            """;

    private static final String SESSION_STATUS =
            "SELECT status FROM session WHERE conversation_id = :id";

    private static final String FREE =
            """
            UPDATE conversation
               SET active_message_id = NULL, active_run_id = NULL, updated_at = :now
             WHERE id = :id AND active_run_id = :run AND generation = :generation
            """;

    private static final String NEXT_SEQ =
            """
            UPDATE conversation SET message_count = message_count + 1
             WHERE id = :id
            RETURNING message_count
            """;

    private static final String APPEND =
            """
            INSERT INTO message (conversation_id, seq, id, role, content, attachments, run_id, created_at)
            VALUES (:conversation, :seq, :id, :role, :content, :attachments, :run, :now)
            """;

    private static final String HAS_MESSAGE =
            "SELECT COUNT(*) FROM message WHERE conversation_id = :conversation AND id = :id";

    private static final String SEQ_OF =
            "SELECT seq FROM message WHERE conversation_id = :conversation AND id = :id";

    private static final String NEWEST_BEFORE =
            """
            SELECT * FROM message
             WHERE conversation_id = :conversation AND seq < :before
             ORDER BY seq DESC
             LIMIT :limit
            """;

    private static final String TITLE_IF_ABSENT =
            "UPDATE conversation SET title = :title WHERE id = :id AND title IS NULL";

    private static final String DELETE =
            """
            UPDATE conversation SET deleted_at = :now
             WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NULL
            """;

    private static final String RESTORE =
            """
            UPDATE conversation SET deleted_at = NULL
             WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NOT NULL
            """;

    private static final TypeReference<List<ContentBlock>> BLOCKS = new TypeReference<>() {};
    private static final TypeReference<List<FileAttachment>> ATTACHMENTS = new TypeReference<>() {};

    public void create(
            Transaction tx,
            TenantId tenant,
            ConversationId id,
            @Nullable String title,
            @Nullable String workflowId,
            long now) {
        insert(tx, INSERT, tenant, id, title, workflowId, now);
    }

    /** Does nothing when the id is taken, by whomever. */
    public void createIfAbsent(Transaction tx, TenantId tenant, ConversationId id, long now) {
        insert(tx, INSERT_IF_ABSENT, tenant, id, null, null, now);
    }

    private static void insert(
            Transaction tx,
            String statement,
            TenantId tenant,
            ConversationId id,
            @Nullable String title,
            @Nullable String workflowId,
            long now) {
        tx.update(statement)
                .bind("id", id.value())
                .bind("tenant", tenant.value())
                .bind("type", Conversation.TYPE)
                .bind("title", title)
                .bind("workflow", workflowId)
                .bind("now", now)
                .execute();
    }

    public Optional<Conversation> find(Transaction tx, TenantId tenant, ConversationId id) {
        return one(tx, FIND, tenant, id);
    }

    /** Whosever it is, and deleted too: for what we do by ourselves, never for a caller. */
    public Optional<Conversation> find(Transaction tx, ConversationId id) {
        return tx.query(FIND_ANYBODYS)
                .bind("id", id.value())
                .map((row, _) -> conversation(row))
                .findOne();
    }

    public Optional<Conversation> findDeleted(Transaction tx, TenantId tenant, ConversationId id) {
        return one(tx, FIND_DELETED, tenant, id);
    }

    public List<Conversation> page(Transaction tx, TenantId tenant, PageRequest page) {
        return tx.query(PAGE)
                .bind("tenant", tenant.value())
                .bind("updated", page.from().time())
                .bind("id", page.from().id())
                .bind("limit", page.limit())
                .map((row, _) -> conversation(row))
                .list();
    }

    public boolean rename(Transaction tx, TenantId tenant, ConversationId id, String title) {
        return tx.update(RENAME)
                        .bind("id", id.value())
                        .bind("tenant", tenant.value())
                        .bind("title", title)
                        .execute()
                == 1;
    }

    public void titleIfAbsent(Transaction tx, ConversationId id, String title) {
        tx.update(TITLE_IF_ABSENT).bind("id", id.value()).bind("title", title).execute();
    }

    /** Takes a free conversation for a run; empty when somebody else has it. */
    public OptionalLong take(
            Transaction tx,
            TenantId tenant,
            ConversationId id,
            MessageId message,
            RunId run,
            long now) {
        return tx.query(TAKE)
                .bind("id", id.value())
                .bind("tenant", tenant.value())
                .bind("message", message.value())
                .bind("run", run.value())
                .bind("now", now)
                .mapTo(Long.class)
                .findOne()
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
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

    /** Gives the conversation back, unless a newer generation has it by now. */
    public boolean free(Transaction tx, ConversationId id, RunId run, long generation, long now) {
        return tx.update(FREE)
                        .bind("id", id.value())
                        .bind("run", run.value())
                        .bind("generation", generation)
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /** Appends with the next number; the counter's row lock keeps numbers gap-free. */
    public void append(Transaction tx, ConversationId conversation, PersistedMessage message) {
        long seq = tx.query(NEXT_SEQ).bind("id", conversation.value()).mapTo(Long.class).one();
        tx.update(APPEND)
                .bind("conversation", conversation.value())
                .bind("seq", seq)
                .bind("id", message.id())
                .bind("role", message.role().wireName())
                .bind(
                        "content",
                        Json.MAPPER.writerFor(BLOCKS).writeValueAsString(message.content()))
                .bind("attachments", Json.MAPPER.writeValueAsString(message.fileAttachments()))
                .bind("run", message.runId())
                .bind("now", message.createdAt())
                .execute();
    }

    public boolean hasMessage(Transaction tx, ConversationId conversation, MessageId message) {
        return tx.query(HAS_MESSAGE)
                        .bind("conversation", conversation.value())
                        .bind("id", message.value())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    public OptionalLong seqOf(Transaction tx, ConversationId conversation, MessageId message) {
        return tx.query(SEQ_OF)
                .bind("conversation", conversation.value())
                .bind("id", message.value())
                .mapTo(Long.class)
                .findOne()
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /**
     * The newest messages with a number below {@code before}, newest first; never the whole thread.
     */
    public List<PersistedMessage> newestBefore(
            Transaction tx, ConversationId conversation, long before, int limit) {
        return tx.query(NEWEST_BEFORE)
                .bind("conversation", conversation.value())
                .bind("before", before)
                .bind("limit", limit)
                .map((row, _) -> message(row))
                .list();
    }

    public boolean delete(Transaction tx, TenantId tenant, ConversationId id, long now) {
        return tx.update(DELETE)
                        .bind("id", id.value())
                        .bind("tenant", tenant.value())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    public boolean restore(Transaction tx, TenantId tenant, ConversationId id) {
        return tx.update(RESTORE).bind("id", id.value()).bind("tenant", tenant.value()).execute()
                == 1;
    }

    private static Optional<Conversation> one(
            Transaction tx, String sql, TenantId tenant, ConversationId id) {
        return tx.query(sql)
                .bind("id", id.value())
                .bind("tenant", tenant.value())
                .map((row, _) -> conversation(row))
                .findOne();
    }

    private static Conversation conversation(ResultSet row) throws SQLException {
        long deletedAt = row.getLong("deleted_at");
        boolean live = row.wasNull();
        String message = row.getString("active_message_id");
        String run = row.getString("active_run_id");
        return new Conversation(
                new ConversationId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                row.getString("type"),
                row.getString("title"),
                row.getString("workflow_id"),
                row.getLong("message_count"),
                message == null ? null : new MessageId(message),
                run == null ? null : new RunId(run),
                row.getLong("generation"),
                row.getLong("created_at"),
                row.getLong("updated_at"),
                live ? null : deletedAt);
    }

    private static PersistedMessage message(ResultSet row) throws SQLException {
        return new PersistedMessage(
                row.getString("id"),
                Role.of(row.getString("role")),
                Json.MAPPER.readValue(row.getString("content"), BLOCKS),
                Json.MAPPER.readValue(row.getString("attachments"), ATTACHMENTS),
                row.getString("run_id"),
                row.getLong("created_at"));
    }
}
