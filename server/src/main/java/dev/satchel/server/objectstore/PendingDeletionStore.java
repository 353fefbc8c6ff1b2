package dev.satchel.server.objectstore;

import dev.satchel.server.database.Transaction;
import java.util.List;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Keys and prefixes of objects that nothing refers to any more. */
final class PendingDeletionStore {
    private static final String ADD =
            """
            INSERT INTO erasure (storage_key, created_at) VALUES (:key, :now) ON CONFLICT DO NOTHING
            """;

    private static final String PAGE =
            "SELECT storage_key FROM erasure WHERE storage_key > :after ORDER BY storage_key LIMIT :limit";

    private static final String NEWEST =
            "SELECT storage_key FROM erasure ORDER BY created_at DESC LIMIT :limit";

    private static final String DONE = "DELETE FROM erasure WHERE storage_key = :key";

    void add(Transaction tx, String key, long now) {
        tx.update(ADD).bind("key", key).bind("now", now).execute();
    }

    List<String> page(Transaction tx, String after, int limit) {
        return tx.query(PAGE).bind("after", after).bind("limit", limit).mapTo(String.class).list();
    }

    List<String> newest(Transaction tx, int limit) {
        return tx.query(NEWEST).bind("limit", limit).mapTo(String.class).list();
    }

    void done(Transaction tx, List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        try (PreparedBatch batch = tx.batch(DONE)) {
            keys.forEach(key -> batch.bind("key", key).add());
            batch.execute();
        }
    }
}
