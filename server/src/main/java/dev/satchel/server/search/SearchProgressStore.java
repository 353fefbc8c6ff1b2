package dev.satchel.server.search;

import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of earlier versions that have no entry yet, and how far they are indexed. */
final class SearchProgressStore {
    private static final String FIRST_OPEN =
            "SELECT kind, after_id, after_seq FROM search_progress WHERE done = 0 ORDER BY kind";

    /** Of two servers that index the same rows, one succeeds. */
    private static final String ADVANCE =
            """
            UPDATE search_progress SET after_id = :toId, after_seq = :toSeq, done = :done
             WHERE kind = :kind AND after_id = :id AND after_seq = :seq AND done = 0
            """;

    private static final String MESSAGES =
            """
            SELECT m.conversation_id AS id, m.seq, m.id AS item, m.created_at AS at,
                   CASE WHEN EXISTS (SELECT 1 FROM search_entry e
                                      WHERE e.conversation_id = m.conversation_id AND e.item_id = m.id)
                        THEN NULL ELSE m.content END AS content
              FROM message m
             WHERE (m.conversation_id, m.seq) > (:id, :seq)
             ORDER BY m.conversation_id, m.seq LIMIT :limit
            """;

    private static final String TITLES =
            """
            SELECT c.id, 0 AS seq, c.id AS item, c.updated_at AS at,
                   CASE WHEN EXISTS (SELECT 1 FROM search_entry e
                                      WHERE e.conversation_id = c.id AND e.item_id = c.id)
                        THEN NULL ELSE c.title END AS content
              FROM conversation c
             WHERE c.id > :id ORDER BY c.id LIMIT :limit
            """;

    private static final String FILES =
            """
            SELECT b.id, 0 AS seq, b.id AS item, b.created_at AS at,
                   CASE WHEN b.arrived_at IS NULL
                          OR EXISTS (SELECT 1 FROM search_entry e
                                      WHERE e.conversation_id = b.conversation_id AND e.item_id = b.id)
                        THEN NULL ELSE b.name END AS content
              FROM bag_file b
             WHERE b.id > :id ORDER BY b.id LIMIT :limit
            """;

    private static final String ASSETS =
            """
            SELECT a.id, 0 AS seq, a.id AS item, a.created_at AS at,
                   CASE WHEN EXISTS (SELECT 1 FROM search_entry e
                                      WHERE e.conversation_id IS NULL AND e.item_id = a.id)
                        THEN NULL ELSE a.name END AS content
              FROM asset a
             WHERE a.id > :id ORDER BY a.id LIMIT :limit
            """;

    /** A row after which the next ones are indexed. */
    record Position(IndexedItem.Kind kind, String id, long seq) {}

    /** A row; the content is null if it is indexed already, or if there is nothing to index. */
    record Unindexed(String id, long seq, String item, long at, @Nullable String content) {}

    Optional<Position> open(Transaction tx) {
        return tx.query(FIRST_OPEN).map((row, _) -> position(row)).list().stream().findFirst();
    }

    private static Position position(ResultSet row) throws SQLException {
        return new Position(
                IndexedItem.Kind.of(row.getString("kind")),
                row.getString("after_id"),
                row.getLong("after_seq"));
    }

    List<Unindexed> next(Transaction tx, Position after, int limit) {
        String sql =
                switch (after.kind()) {
                    case MESSAGE -> MESSAGES;
                    case CHAT -> TITLES;
                    case FILE -> FILES;
                    case ASSET -> ASSETS;
                };
        return tx.query(sql)
                .bind("id", after.id())
                .bind("seq", after.seq())
                .bind("limit", limit)
                .map((row, _) -> unindexed(row))
                .list();
    }

    private static Unindexed unindexed(ResultSet row) throws SQLException {
        return new Unindexed(
                row.getString("id"),
                row.getLong("seq"),
                row.getString("item"),
                row.getLong("at"),
                row.getString("content"));
    }

    /** False when another server has been faster. */
    boolean advance(Transaction tx, Position from, String toId, long toSeq, boolean done) {
        return tx.update(ADVANCE)
                        .bind("kind", from.kind().wireName())
                        .bind("id", from.id())
                        .bind("seq", from.seq())
                        .bind("toId", toId)
                        .bind("toSeq", toSeq)
                        .bind("done", done ? 1 : 0)
                        .execute()
                == 1;
    }
}
