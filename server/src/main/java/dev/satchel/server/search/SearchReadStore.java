package dev.satchel.server.search;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads the index, the newest entries first. Only entries that the caller can see are returned:
 * nothing of the chats of other persons, of deleted chats, of deleted files and of old versions of
 * files.
 */
final class SearchReadStore {
    /**
     * How many of the newest entries that a person may see PostgreSQL compares one by one before it
     * asks its index, which returns all entries with a word at once, in no order. What has too few
     * hits among so many is rare enough for that.
     */
    private static final List<Integer> RECENT = List.of(2_000, 20_000);

    private static final int RECENT_FACTOR = 10;

    /** Not a join: PostgreSQL would read all conversations where it needs a few. */
    private static final String VISIBLE =
            """
               AND CASE e.kind
                   WHEN 'asset' THEN (SELECT 1 FROM asset a WHERE a.id = e.item_id AND a.deleted_at IS NULL)
                   WHEN 'file' THEN (SELECT 1 FROM bag_file b JOIN conversation c ON c.id = b.conversation_id
                                      WHERE b.id = e.item_id AND b.deleted_at IS NULL
                                        AND b.superseded_by IS NULL
                                        AND c.user_id = :user AND c.deleted_at IS NULL AND c.type <> 'run')
                   ELSE (SELECT 1 FROM conversation c
                          WHERE c.id = e.conversation_id AND c.user_id = :user
                            AND c.deleted_at IS NULL AND c.type <> 'run')
                   END = 1
            """;

    /** What is shown of the entries of {@code found}. */
    private static final String DETAILS =
            """
            SELECT e.id, e.kind, e.conversation_id, e.item_id, e.page, e.text, e.at, m.role, m.seq,
                   CASE e.kind
                   WHEN 'asset' THEN (SELECT a.name FROM asset a WHERE a.id = e.item_id)
                   WHEN 'file' THEN (SELECT b.name FROM bag_file b WHERE b.id = e.item_id)
                   ELSE (SELECT c.title FROM conversation c WHERE c.id = e.conversation_id)
                   END AS name
              FROM found
              JOIN search_entry e ON e.id = found.id
              LEFT JOIN message m
                ON e.kind = 'message' AND m.conversation_id = e.conversation_id AND m.id = e.item_id
             ORDER BY e.at DESC, e.id DESC
            """;

    private static final String IN_SQLITE =
            """
            WITH found AS MATERIALIZED (
                SELECT e.id
                  FROM search_index i CROSS JOIN search_entry e ON e.id = i.rowid
                 WHERE i.words MATCH :query AND i.rowid < :id AND e.tenant_id = :tenant
            """
                    + VISIBLE
                    + " ORDER BY i.rowid DESC LIMIT :limit)"
                    + DETAILS;

    private static final String BEFORE = " AND (e.at < :at OR (e.at = :at AND e.id < :id)) ";

    private static final String IN_ORDER = " ORDER BY e.at DESC, e.id DESC ";

    private static final String NEWEST =
            """
            SELECT e.id, e.at, e.kind, e.conversation_id, e.item_id, e.words
              FROM search_entry e
             WHERE e.tenant_id = :tenant AND (e.at, e.id) < (:at, :id)
            """;

    private static final String RECENT_ONES = IN_ORDER + " LIMIT :recent";

    private static final String NEWEST_OF_PERSON =
            "("
                    + NEWEST
                    + " AND e.user_id = :user "
                    + RECENT_ONES
                    + ") UNION ALL ("
                    + NEWEST
                    + " AND e.user_id = '' " // assets
                    + RECENT_ONES
                    + ")";

    private static final String RECENT_OF_PERSON =
            recent("SELECT * FROM (" + NEWEST_OF_PERSON + ") e " + RECENT_ONES);

    private static final String RECENT_OF_TENANT = recent(NEWEST + RECENT_ONES);

    private static final String COUNT_OF_PERSON =
            "SELECT COUNT(*) FROM (" + NEWEST_OF_PERSON.replace(", e.words", "") + ") e";

    /** The inner rows are in order and not kept, so that it ends at the limit. */
    private static String recent(String newest) {
        return "WITH found AS MATERIALIZED (SELECT e.id FROM ("
                + newest
                + ") e WHERE e.words @@ CAST(:query AS tsquery) "
                + VISIBLE
                + IN_ORDER
                + " LIMIT :limit)"
                + DETAILS;
    }

    private static final String ALL_IN_POSTGRESQL =
            """
            WITH matching AS MATERIALIZED (
                SELECT e.id, e.at, e.kind, e.conversation_id, e.item_id FROM search_entry e
                 WHERE e.words @@ CAST(:query AS tsquery) AND e.tenant_id = :tenant
            """
                    + BEFORE
                    + "), found AS MATERIALIZED (SELECT e.id FROM"
                    + " (SELECT * FROM matching e"
                    + IN_ORDER
                    + ") e WHERE TRUE"
                    + VISIBLE
                    + " LIMIT :limit)"
                    + DETAILS;

    private static final String ITEM =
            "SELECT kind, conversation_id, item_id FROM search_entry WHERE id = :id";

    private final SearchMarkingStore marking = new SearchMarkingStore();
    private final Dialect dialect;

    SearchReadStore(Dialect dialect) {
        this.dialect = dialect;
    }

    /** At most {@code limit} entries after a position. */
    List<FoundEntry> find(Transaction tx, SearchRequest request, SearchPosition after, int limit) {
        // the entries of an earlier version have no words of persons at first
        boolean byPerson = marking.open(tx).isEmpty();
        SearchMarks marks =
                byPerson ? SearchMarks.ofPerson(request) : SearchMarks.ofTenant(request);
        return switch (dialect) {
            case SQLITE -> {
                Query query = tx.query(IN_SQLITE).bind("query", request.query().forSqlite(marks));
                yield list(query, request, after, limit);
            }
            case POSTGRESQL -> {
                String query = request.query().forPostgresql(marks);
                yield findInPostgresql(tx, query, byPerson, request, after, limit);
            }
        };
    }

    private static List<FoundEntry> findInPostgresql(
            Transaction tx,
            String query,
            boolean byPerson,
            SearchRequest request,
            SearchPosition after,
            int limit) {
        for (int count : RECENT) {
            Query recent = tx.query(byPerson ? RECENT_OF_PERSON : RECENT_OF_TENANT);
            List<FoundEntry> found =
                    list(
                            recent.bind("query", query)
                                    .bind("recent", count)
                                    .bind("at", after.at()),
                            request,
                            after,
                            limit);
            if (found.size() == limit || (byPerson && !hasMore(tx, request, after, count))) {
                return found;
            }
            if (found.size() * RECENT_FACTOR < limit) {
                break; // ten times as many would not have enough either
            }
        }
        Query all = tx.query(ALL_IN_POSTGRESQL).bind("query", query).bind("at", after.at());
        return list(all, request, after, limit);
    }

    /** Whether a person can see more than the newest entries that were compared. */
    private static boolean hasMore(
            Transaction tx, SearchRequest request, SearchPosition after, int count) {
        return bind(tx.query(COUNT_OF_PERSON), request, after)
                        .bind("at", after.at())
                        .bind("recent", count)
                        .mapTo(Integer.class)
                        .one()
                >= count;
    }

    private static List<FoundEntry> list(
            Query query, SearchRequest request, SearchPosition after, int limit) {
        return bind(query, request, after).bind("limit", limit).map((row, _) -> entry(row)).list();
    }

    private static Query bind(Query query, SearchRequest request, SearchPosition after) {
        return query.bind("tenant", request.caller().tenant().value())
                .bind("user", request.caller().user().value())
                .bind("id", after.id());
    }

    Optional<IndexedItem> item(Transaction tx, SearchPosition position) {
        return tx.query(ITEM).bind("id", position.id()).map((row, _) -> item(row)).findOne();
    }

    private static FoundEntry entry(ResultSet row) throws SQLException {
        int page = row.getInt("page");
        boolean hasPage = !row.wasNull();
        long seq = row.getLong("seq");
        boolean hasSeq = !row.wasNull();
        String name = row.getString("name");
        return new FoundEntry(
                row.getLong("id"),
                item(row),
                hasPage ? page : null,
                row.getString("text"),
                row.getLong("at"),
                name == null ? "" : name,
                row.getString("role"),
                hasSeq ? seq : null);
    }

    private static IndexedItem item(ResultSet row) throws SQLException {
        return new IndexedItem(
                IndexedItem.Kind.of(row.getString("kind")),
                row.getString("conversation_id"),
                row.getString("item_id"));
    }
}
