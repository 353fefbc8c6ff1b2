package dev.satchel.server.metric;

import dev.satchel.server.database.Transaction;
import java.util.List;

/** Reads what waits in the tables of other packages. Writes nothing. */
final class BacklogStore {
    private static final String BY_STATUS =
            "SELECT COUNT(*) FROM run WHERE status = :status AND"
                    + " NOT EXISTS (SELECT 1 FROM run_queue q WHERE q.run_id = run.id)";

    private static final String IN_QUEUE = "SELECT COUNT(*) FROM run_queue";

    /** Counts up to a limit: what matters is that they are many. */
    private static final String ERASURES =
            "SELECT COUNT(*) FROM (SELECT 1 FROM erasure LIMIT :limit) AS counted";

    private static final String OLDEST_ERASURE =
            "SELECT COALESCE(MIN(created_at), :now) FROM erasure";

    private static final String PENDING =
            "SELECT COUNT(*) FROM conversation WHERE workspace_pending IS NOT NULL";

    private static final String LARGEST_TENANTS =
            """
            SELECT tenant_id,
                   SUM(file_bytes + deleted_bytes + run_bytes + snapshot_bytes + asset_bytes
                       + skill_bytes + text_bytes) AS bytes
              FROM tenant_usage
             GROUP BY tenant_id ORDER BY bytes DESC, tenant_id LIMIT :limit
            """;

    private static final int MAX_COUNTED = 100_000;

    record TenantBytes(String tenant, long bytes) {}

    long runs(Transaction tx, String status) {
        return tx.query(BY_STATUS).bind("status", status).mapTo(Long.class).one();
    }

    long queuedRuns(Transaction tx) {
        return tx.query(IN_QUEUE).mapTo(Long.class).one();
    }

    long erasures(Transaction tx) {
        return tx.query(ERASURES).bind("limit", MAX_COUNTED).mapTo(Long.class).one();
    }

    /** When the oldest object was given to be deleted; {@code now} when there is none. */
    long oldestErasure(Transaction tx, long now) {
        return tx.query(OLDEST_ERASURE).bind("now", now).mapTo(Long.class).one();
    }

    long pendingSnapshots(Transaction tx) {
        return tx.query(PENDING).mapTo(Long.class).one();
    }

    List<TenantBytes> largestTenants(Transaction tx, int limit) {
        return tx.query(LARGEST_TENANTS)
                .bind("limit", limit)
                .map((row, _) -> new TenantBytes(row.getString("tenant_id"), row.getLong("bytes")))
                .list();
    }
}
