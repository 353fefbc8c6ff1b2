package dev.satchel.server.objectstore;

import dev.satchel.server.database.Transaction;
import java.util.List;

/** Keys and prefixes of objects that nothing refers to any more. */
final class PendingDeletionStore {
    private static final String ADD =
            """
            INSERT INTO erasure (storage_key, created_at) VALUES (:key, :now) ON CONFLICT DO NOTHING
            """;

    private static final String ALL =
            "SELECT storage_key FROM erasure ORDER BY created_at LIMIT 1000";

    private static final String DONE = "DELETE FROM erasure WHERE storage_key = :key";

    void add(Transaction tx, String key, long now) {
        tx.update(ADD).bind("key", key).bind("now", now).execute();
    }

    List<String> all(Transaction tx) {
        return tx.query(ALL).mapTo(String.class).list();
    }

    void done(Transaction tx, String key) {
        tx.update(DONE).bind("key", key).execute();
    }
}
