package dev.satchel.server.search;

import dev.satchel.server.database.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Entries of earlier versions, which have no word of their person, and how far they have it. */
final class SearchMarkingStore {
    private static final String OPEN =
            "SELECT after_id FROM search_marking WHERE name = 'person' AND done = 0";

    /** Of two servers that go on from the same entry, one succeeds. */
    private static final String ADVANCE =
            """
            UPDATE search_marking SET after_id = :to, done = :done
             WHERE name = 'person' AND after_id = :from AND done = 0
            """;

    /** The words of a name are in every entry of a file or an asset. */
    private static final String NEXT =
            """
            SELECT e.id, e.text,
                   CASE e.kind
                   WHEN 'asset' THEN (SELECT a.name FROM asset a WHERE a.id = e.item_id)
                   WHEN 'file' THEN (SELECT b.name FROM bag_file b WHERE b.id = e.item_id)
                   END AS name
              FROM search_entry e
             WHERE e.id > :from
             ORDER BY e.id LIMIT :limit
            """;

    private static final String REPLACE = "UPDATE search_input SET words = :words WHERE id = :id";

    private record Unmarked(long id, String words) {}

    /** The entry after which others are without the word; empty when all have it. */
    Optional<Long> open(Transaction tx) {
        return tx.query(OPEN).mapTo(Long.class).findOne();
    }

    /** Gives some entries their word. Does nothing if another server has been faster. */
    void mark(Transaction tx, long from, int limit) {
        List<Unmarked> entries =
                tx.query(NEXT)
                        .bind("from", from)
                        .bind("limit", limit)
                        .map(
                                (row, _) ->
                                        new Unmarked(
                                                row.getLong("id"),
                                                words(
                                                        row.getString("name"),
                                                        row.getString("text"))))
                        .list();
        boolean advanced =
                tx.update(ADVANCE)
                                .bind("from", from)
                                .bind("to", entries.isEmpty() ? from : entries.getLast().id())
                                .bind("done", entries.isEmpty() ? 1 : 0)
                                .execute()
                        == 1;
        if (advanced) {
            for (Unmarked entry : entries) {
                tx.update(REPLACE).bind("id", entry.id()).bind("words", entry.words()).execute();
            }
        }
    }

    private static String words(@Nullable String name, String text) {
        String ofText =
                SearchTokenizer.tokens(text).stream()
                        .map(SearchToken::text)
                        .collect(Collectors.joining(" "));
        return name == null ? ofText : TextChunks.firstWords(name) + " " + ofText;
    }
}
