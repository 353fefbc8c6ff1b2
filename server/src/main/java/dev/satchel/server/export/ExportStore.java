package dev.satchel.server.export;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.database.Transaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a person in pages, since a transaction never waits for a client. */
final class ExportStore {
    /** Columns with JSON, which the archive has as it is. */
    private static final Set<String> JSON =
            Set.of("content", "attachments", "not_handed_over", "body", "whole", "args", "options");

    /** Orders the rows and is not exported. */
    private static final String KEY = "page_key";

    private static final int LARGE_ROWS = 10;
    private static final int SMALL_ROWS = 500;

    static final Rows PERSON =
            Rows.of(
                    "person",
                    """
                    SELECT id AS page_key, id, name, email, role, created_at FROM app_user
                     WHERE tenant_id = :tenant AND id = :user AND id > :after
                     ORDER BY id LIMIT :page
                    """);

    static final Rows KEYS =
            Rows.of(
                    "keys",
                    """
                    SELECT id AS page_key, id, name, scopes, created_at, expires_at, last_used_at, revoked_at
                      FROM api_key
                     WHERE tenant_id = :tenant AND user_id = :user AND id > :after
                     ORDER BY id LIMIT :page
                    """);

    static final Rows SESSIONS =
            Rows.of(
                    "login-sessions",
                    """
                    SELECT hash AS page_key, created_at, expires_at, last_used_at FROM browser_session
                     WHERE tenant_id = :tenant AND user_id = :user AND hash > :after
                     ORDER BY hash LIMIT :page
                    """);

    static final Rows USAGE =
            Rows.of(
                    "usage",
                    """
                    SELECT run_id || ':' || seq AS page_key, run_id, conversation_id AS chat_id, model, calls,
                           input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
                           cost_micros, at
                      FROM model_usage
                     WHERE tenant_id = :tenant AND user_id = :user AND run_id || ':' || seq > :after
                     ORDER BY page_key LIMIT :page
                    """);

    static final Rows LIMITS =
            Rows.of(
                    "limits",
                    """
                    SELECT name AS page_key, name, value FROM usage_limit
                     WHERE tenant_id = :tenant AND user_id = :user AND name > :after
                     ORDER BY name LIMIT :page
                    """);

    static final Rows UPLOADS =
            Rows.of(
                    "uploads",
                    """
                    SELECT id AS page_key, id, name, mime_type, size, sha256, storage_key, created_at
                      FROM upload
                     WHERE tenant_id = :tenant AND user_id = :user AND conversation_id IS NULL
                       AND arrived_at IS NOT NULL AND id > :after
                     ORDER BY id LIMIT :page
                    """);

    static final Rows CHATS =
            Rows.of(
                    "chats",
                    """
                    SELECT id AS page_key, id, type, title, created_at, updated_at, deleted_at, pinned_at, archived_at
                      FROM conversation LEFT JOIN chat_mark ON conversation_id = id
                     WHERE tenant_id = :tenant AND user_id = :user AND id > :after
                     ORDER BY id LIMIT :page
                    """);

    static final Rows FILES =
            Rows.of(
                    "files",
                    """
                    SELECT id AS page_key, id, name, path, supersedes, mime_type, size, sha256, source,
                           run_id, message_id, storage_key, created_at
                      FROM bag_file
                     WHERE conversation_id = :chat AND arrived_at IS NOT NULL
                       AND deleted_at IS NULL AND id > :after
                     ORDER BY id LIMIT :page
                    """);

    static final Rows RUNS =
            Rows.of(
                    "runs",
                    """
                    SELECT id AS page_key, id, user_message_id, agent_id, prompt, status, started_at, ended_at
                      FROM run
                     WHERE conversation_id = :chat AND id > :after
                     ORDER BY id LIMIT :page
                    """);

    /** Small lists that a chat has beside its files and runs. */
    static final List<Rows> OF_CHAT =
            List.of(
                    new Rows(
                            "messages",
                            """
                            SELECT seq AS page_key, seq, id, role, content, attachments, not_handed_over, run_id,
                                   created_at
                              FROM message
                             WHERE conversation_id = :chat AND seq > :after
                             ORDER BY seq LIMIT :page
                            """,
                            0L,
                            LARGE_ROWS),
                    new Rows(
                            "branches",
                            """
                            SELECT seq AS page_key, seq, parent_seq FROM branch
                             WHERE conversation_id = :chat AND seq > :after
                             ORDER BY seq LIMIT :page
                            """,
                            0L,
                            SMALL_ROWS),
                    Rows.of(
                            "shares",
                            """
                            SELECT id AS page_key, id, kind, reader_id, title, created_at, expires_at FROM chat_share
                             WHERE conversation_id = :chat AND id > :after
                             ORDER BY id LIMIT :page
                            """),
                    new Rows(
                            "queued-messages",
                            """
                            SELECT position AS page_key, message_id AS id, text, attachments, created_at
                              FROM queued_message
                             WHERE conversation_id = :chat AND position > :after
                             ORDER BY position LIMIT :page
                            """,
                            Long.MIN_VALUE,
                            LARGE_ROWS),
                    new Rows(
                            "asks",
                            """
                            SELECT row_id AS page_key, run_id, id, kind, tool, args, question, options, status,
                                   decision, answer, asked_at, answered_at
                              FROM ask
                             WHERE conversation_id = :chat AND row_id > :after
                             ORDER BY row_id LIMIT :page
                            """,
                            "",
                            LARGE_ROWS));

    static final Rows LOG =
            new Rows(
                    "log",
                    """
                    SELECT seq AS page_key, seq, type, COALESCE(whole, body) AS body FROM run_line
                     WHERE run_id = :run AND seq > :after
                     ORDER BY seq LIMIT :page
                    """,
                    -1L,
                    LARGE_ROWS);

    /**
     * A list of rows.
     *
     * @param first a key before that of the first row
     * @param page how many rows are in memory
     */
    record Rows(String name, String sql, Object first, int page) {
        static Rows of(String name, String sql) {
            return new Rows(name, sql, "", SMALL_ROWS);
        }
    }

    /** Rows after one, as they are exported, and the key of the last of them. */
    record Page(List<Map<String, Object>> rows, @Nullable Object last) {}

    /** The page after the row with a key; {@code of} is the id of the chat or run. */
    Page read(Transaction tx, Rows rows, Caller caller, String of, Object after) {
        List<Map<String, Object>> found =
                tx.query(rows.sql())
                        .bind("tenant", caller.tenant().value())
                        .bind("user", caller.user().value())
                        .bind("chat", of)
                        .bind("run", of)
                        .bind("after", after)
                        .bind("page", rows.page())
                        .configure(SqlStatements.class, all -> all.setUnusedBindingAllowed(true))
                        .mapToMap()
                        .list();
        Object last = found.size() < rows.page() ? null : found.getLast().get(KEY);
        return new Page(found.stream().map(ExportStore::exported).toList(), last);
    }

    private static Map<String, Object> exported(Map<String, Object> row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        row.forEach(
                (column, value) -> {
                    if (value != null && !column.equals(KEY)) {
                        boolean isJson = JSON.contains(column);
                        fields.put(column, isJson ? Json.MAPPER.readTree(value.toString()) : value);
                    }
                });
        return fields;
    }
}
