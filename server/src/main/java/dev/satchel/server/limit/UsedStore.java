package dev.satchel.server.limit;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Transaction;

/**
 * Reads what tenants and users use of their limits; most of it are sums that the database keeps.
 */
final class UsedStore {
    private static final String STORED =
            """
            SELECT COALESCE(SUM(file_bytes + deleted_bytes + run_bytes + snapshot_bytes + asset_bytes + skill_bytes
                                + text_bytes), 0) AS bytes,
                   COALESCE(SUM(files + deleted_files + run_files + assets), 0) AS files
              FROM tenant_usage WHERE tenant_id = :tenant
            """;

    private static final String UPLOADED =
            """
            SELECT COALESCE(SUM(u.size + (SELECT COALESCE(SUM(p.size), 0)
                                            FROM upload_part p WHERE p.upload_id = u.id)), 0) AS bytes,
                   COUNT(*) AS files
              FROM upload u WHERE u.tenant_id = :tenant AND u.conversation_id IS NULL
            """;

    private static final String OPEN_UPLOADS =
            """
            SELECT COUNT(*) FROM upload
             WHERE tenant_id = :tenant AND conversation_id IS NULL AND arrived_at IS NULL
            """;

    private static final String COST =
            """
            SELECT COALESCE(SUM(cost_micros), 0) FROM model_usage
             WHERE tenant_id = :tenant AND at >= :from
            """;

    private static final String COST_OF_USER =
            """
            SELECT COALESCE(SUM(cost_micros), 0) FROM model_usage
             WHERE tenant_id = :tenant AND user_id = :user AND at >= :from
            """;

    record Stored(long bytes, long files) {}

    Stored stored(Transaction tx, TenantId tenant) {
        Stored kept = sum(tx, STORED, tenant);
        Stored uploaded = sum(tx, UPLOADED, tenant);
        return new Stored(kept.bytes() + uploaded.bytes(), kept.files() + uploaded.files());
    }

    private static Stored sum(Transaction tx, String sql, TenantId tenant) {
        return tx.query(sql)
                .bind("tenant", tenant.value())
                .map((row, _) -> new Stored(row.getLong("bytes"), row.getLong("files")))
                .one();
    }

    long openUploads(Transaction tx, TenantId tenant) {
        return tx.query(OPEN_UPLOADS).bind("tenant", tenant.value()).mapTo(Long.class).one();
    }

    long costMicros(Transaction tx, TenantId tenant, long from) {
        return tx.query(COST)
                .bind("tenant", tenant.value())
                .bind("from", from)
                .mapTo(Long.class)
                .one();
    }

    long costMicros(Transaction tx, TenantId tenant, UserId user, long from) {
        return tx.query(COST_OF_USER)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("from", from)
                .mapTo(Long.class)
                .one();
    }
}
