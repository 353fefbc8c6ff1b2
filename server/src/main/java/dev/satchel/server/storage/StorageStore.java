package dev.satchel.server.storage;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.statement.Query;

/** Reads the sums that the database keeps. It reads no object, and no row of a file of a chat. */
final class StorageStore {
    static final String TENANT =
            """
            SELECT COALESCE(SUM(files), 0) AS files_count, COALESCE(SUM(file_bytes), 0) AS files_bytes,
                   COALESCE(SUM(deleted_files), 0) AS deleted_count,
                   COALESCE(SUM(deleted_bytes), 0) AS deleted_bytes,
                   COALESCE(SUM(run_files), 0) AS runs_count, COALESCE(SUM(run_bytes), 0) AS runs_bytes,
                   COALESCE(SUM(snapshots), 0) AS snapshots_count,
                   COALESCE(SUM(snapshot_bytes), 0) AS snapshots_bytes,
                   COALESCE(SUM(assets), 0) AS assets_count, COALESCE(SUM(asset_bytes), 0) AS assets_bytes,
                   COALESCE(SUM(skills), 0) AS skills_count, COALESCE(SUM(skill_bytes), 0) AS skills_bytes,
                   COALESCE(SUM(texts), 0) AS texts_count, COALESCE(SUM(text_bytes), 0) AS texts_bytes
              FROM tenant_usage WHERE tenant_id = :tenant
            """;

    /** What belongs to the tenant counts for nobody. */
    static final String PERSON =
            """
            SELECT COALESCE(SUM(CASE WHEN u.type <> 'run' THEN u.files ELSE 0 END), 0) AS files_count,
                   COALESCE(SUM(CASE WHEN u.type <> 'run' THEN u.file_bytes ELSE 0 END), 0) AS files_bytes,
                   COALESCE(SUM(CASE WHEN u.type <> 'run' THEN u.deleted_files ELSE 0 END), 0) AS deleted_count,
                   COALESCE(SUM(CASE WHEN u.type <> 'run' THEN u.deleted_bytes ELSE 0 END), 0) AS deleted_bytes,
                   COALESCE(SUM(CASE WHEN u.type = 'run' THEN u.files + u.deleted_files ELSE 0 END), 0) AS runs_count,
                   COALESCE(SUM(CASE WHEN u.type = 'run' THEN u.file_bytes + u.deleted_bytes ELSE 0 END), 0) AS runs_bytes,
                   COALESCE(SUM(u.snapshots), 0) AS snapshots_count,
                   COALESCE(SUM(u.snapshot_bytes), 0) AS snapshots_bytes,
                   0 AS assets_count, 0 AS assets_bytes, 0 AS skills_count, 0 AS skills_bytes,
                   0 AS texts_count, 0 AS texts_bytes
              FROM conversation c JOIN conversation_usage u ON u.conversation_id = c.id
             WHERE c.tenant_id = :tenant AND c.user_id = :user
            """;

    static final String LARGEST =
            """
            SELECT c.id, c.title, c.deleted_at,
                   u.files AS files_count, u.file_bytes AS files_bytes,
                   u.deleted_files AS deleted_count, u.deleted_bytes AS deleted_bytes,
                   u.snapshots AS snapshots_count, u.snapshot_bytes AS snapshots_bytes
              FROM conversation_usage u JOIN conversation c ON c.id = u.conversation_id
             WHERE u.tenant_id = :tenant AND c.user_id = :user AND u.type <> 'run' AND u.bytes > 0
             ORDER BY u.bytes DESC, u.conversation_id
             LIMIT :limit
            """;

    static final String UPLOADS =
            """
            SELECT COUNT(*) AS uploads_count,
                   COALESCE(SUM(u.size + (SELECT COALESCE(SUM(p.size), 0)
                                            FROM upload_part p WHERE p.upload_id = u.id)), 0) AS uploads_bytes
              FROM upload u
             WHERE u.tenant_id = :tenant AND (:person IS NULL OR u.user_id = :person) AND u.conversation_id IS NULL
            """;

    /** The table is small, as copies expire; the conversations of a tenant are many. */
    private static final String STAGED =
            """
            SELECT COUNT(*) AS staged_count, COALESCE(SUM(s.size), 0) AS staged_bytes FROM staged_asset s
             WHERE EXISTS (SELECT 1 FROM conversation c
                            WHERE c.id = s.conversation_id AND c.tenant_id = :tenant
                              AND (:person IS NULL OR c.user_id = :person))
            """;

    /** What a tenant or a person uses. Assets and skills include deleted ones that still exist. */
    record TenantUsage(
            UsageTotal files,
            UsageTotal deletedFiles,
            UsageTotal runFiles,
            UsageTotal snapshots,
            UsageTotal assets,
            UsageTotal skills,
            UsageTotal texts) {}

    TenantUsage tenant(Transaction tx, TenantId tenant) {
        return read(tx.query(TENANT).bind("tenant", tenant.value()));
    }

    TenantUsage person(Transaction tx, Caller caller) {
        return read(
                tx.query(PERSON)
                        .bind("tenant", caller.tenant().value())
                        .bind("user", caller.user().value()));
    }

    private static TenantUsage read(Query sums) {
        return sums.map(
                        (row, _) ->
                                new TenantUsage(
                                        use(row, "files"),
                                        use(row, "deleted"),
                                        use(row, "runs"),
                                        use(row, "snapshots"),
                                        use(row, "assets"),
                                        use(row, "skills"),
                                        use(row, "texts")))
                .one();
    }

    /**
     * The largest chats of the caller, in order; {@code trash} is how long a deleted one can be
     * restored.
     */
    List<ConversationUsage> largest(Transaction tx, Caller caller, int limit, Duration trash) {
        return tx.query(LARGEST)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("limit", limit)
                .map((row, _) -> conversation(row, trash))
                .list();
    }

    /** Unclaimed uploads, incomplete ones included. */
    UsageTotal uploads(Transaction tx, Caller caller) {
        return use(tx, UPLOADS, "uploads", caller);
    }

    UsageTotal staged(Transaction tx, Caller caller) {
        return use(tx, STAGED, "staged", caller);
    }

    private static UsageTotal use(Transaction tx, String sql, String kind, Caller caller) {
        String person = caller.role() == UserRole.OWNER ? null : caller.user().value();
        return tx.query(sql)
                .bind("tenant", caller.tenant().value())
                .bind("person", person)
                .map((row, _) -> use(row, kind))
                .one();
    }

    private static UsageTotal use(ResultSet row, String kind) throws SQLException {
        return new UsageTotal(row.getLong(kind + "_count"), row.getLong(kind + "_bytes"));
    }

    private static ConversationUsage conversation(ResultSet row, Duration trash)
            throws SQLException {
        long deletedAt = row.getLong("deleted_at");
        boolean isDeleted = !row.wasNull();
        return new ConversationUsage(
                row.getString("id"),
                row.getString("title"),
                isDeleted,
                isDeleted ? deletedAt + trash.toMillis() : null,
                use(row, "files"),
                use(row, "deleted"),
                use(row, "snapshots"));
    }
}
