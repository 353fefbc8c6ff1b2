package dev.satchel.server.search;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The queue of files whose text is still to be indexed. The transaction that makes a file visible
 * adds a row; the one that stores its text, or why it has none, deletes it.
 */
public final class SearchTaskStore {
    static final String ADD_FILE =
            """
            INSERT INTO search_task (item_id, kind, tenant_id, conversation_id, sha256, due_at)
            SELECT b.id, 'file', b.tenant_id, b.conversation_id, b.sha256, b.arrived_at
              FROM bag_file b WHERE b.id = :item AND b.size > 0
            ON CONFLICT DO NOTHING
            """;

    static final String ADD_ASSET =
            """
            INSERT INTO search_task (item_id, kind, tenant_id, conversation_id, sha256, due_at)
            SELECT a.id, 'asset', a.tenant_id, CAST(NULL AS TEXT), a.sha256, a.created_at
              FROM asset a WHERE a.id = :item AND a.size > 0
            ON CONFLICT DO NOTHING
            """;

    /**
     * Of several files with the same bytes one is read, the others then find its text. A row that
     * is taken is due again when its server has died.
     */
    private static final String TAKE =
            """
            UPDATE search_task SET due_at = :until, taken = 1, attempts = attempts + 1
             WHERE due_at <= :now
               AND item_id = (SELECT t.item_id FROM search_task t
                               WHERE t.due_at <= :now
                                 AND NOT EXISTS (SELECT 1 FROM search_task o
                                                  WHERE o.tenant_id = t.tenant_id AND o.sha256 = t.sha256
                                                    AND o.taken = 1 AND o.due_at > :now)
                               ORDER BY t.due_at, t.item_id LIMIT 1)
            RETURNING item_id, kind, tenant_id, conversation_id, sha256, attempts
            """;

    private static final String ANY_DUE =
            "SELECT item_id FROM search_task WHERE due_at <= :now LIMIT 1";

    private static final String POSTPONE =
            """
            UPDATE search_task SET due_at = :until, taken = 0, problem = :problem,
                                   attempts = CASE WHEN :counts = 1 THEN attempts ELSE 0 END
             WHERE item_id = :item
            """;

    private static final String HURRY =
            "UPDATE search_task SET due_at = 0 WHERE item_id = :item AND taken = 0 AND due_at > 0";

    private static final String PROBLEM =
            "SELECT COALESCE(problem, '') AS problem FROM search_task WHERE item_id = :item";

    private static final String REMOVE = "DELETE FROM search_task WHERE item_id = :item";

    private static final String ERASE =
            "DELETE FROM search_task WHERE conversation_id = :conversation";

    /** Costs less than to take one. */
    public boolean isAnyDue(Transaction tx, long now) {
        return tx.query(ANY_DUE).bind("now", now).mapTo(String.class).findOne().isPresent();
    }

    /** The file that waits for the longest time; empty when none is due. */
    public Optional<SearchTask> take(Transaction tx, long now, long until) {
        return tx.query(TAKE)
                .bind("now", now)
                .bind("until", until)
                .map((row, _) -> task(row))
                .findOne();
    }

    private static SearchTask task(ResultSet row) throws SQLException {
        return new SearchTask(
                new IndexedItem(
                        IndexedItem.Kind.of(row.getString("kind")),
                        row.getString("conversation_id"),
                        row.getString("item_id")),
                new TenantId(row.getString("tenant_id")),
                row.getString("sha256"),
                row.getInt("attempts"));
    }

    /** Tries again later; an attempt that could not begin does not count. */
    public void postpone(
            Transaction tx, SearchTask task, long until, String problem, boolean counts) {
        tx.update(POSTPONE)
                .bind("item", task.item().id())
                .bind("until", until)
                .bind("problem", problem)
                .bind("counts", counts ? 1 : 0)
                .execute();
    }

    /** A person waits for the text of this file. */
    public void hurry(Transaction tx, String item) {
        tx.update(HURRY).bind("item", item).execute();
    }

    /** Why the text of a file is not read yet, empty without a reason; none when it is read. */
    public Optional<String> problem(Transaction tx, String item) {
        return tx.query(PROBLEM).bind("item", item).mapTo(String.class).findOne();
    }

    /** False when the file was deleted meanwhile. */
    public boolean remove(Transaction tx, String item) {
        return tx.update(REMOVE).bind("item", item).execute() == 1;
    }

    void erase(Transaction tx, String conversation) {
        tx.update(ERASE).bind("conversation", conversation).execute();
    }
}
