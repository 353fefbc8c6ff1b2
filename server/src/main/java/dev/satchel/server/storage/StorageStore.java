package dev.satchel.server.storage;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

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

    static final String LARGEST =
            """
            SELECT c.id, c.title, c.deleted_at,
                   u.files AS files_count, u.file_bytes AS files_bytes,
                   u.deleted_files AS deleted_count, u.deleted_bytes AS deleted_bytes,
                   u.snapshots AS snapshots_count, u.snapshot_bytes AS snapshots_bytes
              FROM conversation_usage u JOIN conversation c ON c.id = u.conversation_id
             WHERE u.tenant_id = :tenant AND u.type <> 'run' AND u.bytes > 0
             ORDER BY u.bytes DESC, u.conversation_id
             LIMIT :limit
            """;

    static final String UPLOADS =
            """
            SELECT COUNT(*) AS uploads_count,
                   COALESCE(SUM(u.size + (SELECT COALESCE(SUM(p.size), 0)
                                            FROM upload_part p WHERE p.upload_id = u.id)), 0) AS uploads_bytes
              FROM upload u
             WHERE u.tenant_id = :tenant AND u.conversation_id IS NULL
            """;

    /** The table is small, as copies expire; the conversations of a tenant are many. */
    private static final String STAGED =
            """
            SELECT COUNT(*) AS staged_count, COALESCE(SUM(s.size), 0) AS staged_bytes FROM staged_asset s
             WHERE (SELECT c.tenant_id FROM conversation c WHERE c.id = s.conversation_id) = :tenant
            """;

    /** What a tenant uses. Assets and skills include deleted ones that still exist. */
    record TenantUsage(
            UsageTotal files,
            UsageTotal deletedFiles,
            UsageTotal runFiles,
            UsageTotal snapshots,
            UsageTotal assets,
            UsageTotal skills,
            UsageTotal texts) {}

    TenantUsage tenant(Transaction tx, TenantId tenant) {
        return tx.query(TENANT)
                .bind("tenant", tenant.value())
                .map(
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

    /** The largest chats, in order; {@code trash} is how long a deleted one can be restored. */
    List<ConversationUsage> largest(Transaction tx, TenantId tenant, int limit, Duration trash) {
        return tx.query(LARGEST)
                .bind("tenant", tenant.value())
                .bind("limit", limit)
                .map((row, _) -> conversation(row, trash))
                .list();
    }

    /** Unclaimed uploads, incomplete ones included. */
    UsageTotal uploads(Transaction tx, TenantId tenant) {
        return use(tx, UPLOADS, "uploads", tenant);
    }

    UsageTotal staged(Transaction tx, TenantId tenant) {
        return use(tx, STAGED, "staged", tenant);
    }

    private static UsageTotal use(Transaction tx, String sql, String kind, TenantId tenant) {
        return tx.query(sql).bind("tenant", tenant.value()).map((row, _) -> use(row, kind)).one();
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
