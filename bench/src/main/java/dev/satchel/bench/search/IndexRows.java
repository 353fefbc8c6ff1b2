package dev.satchel.bench.search;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Entries of the index, written past the triggers, which is several times faster. The rows are the
 * same: {@code SearchBenchmark} asks the server for them.
 */
final class IndexRows {
    private static final String TENANT = "default";
    private static final String HEX = hex(TENANT);

    private static final String ENTRY_OF_SQLITE =
            """
            INSERT INTO search_entry (id, tenant_id, kind, conversation_id, item_id, page, text, at)
            VALUES (:at * 1048576, 'default', 'message', :chat, :item, NULL, :text, :at)
            """;

    private static final String WORDS_OF_SQLITE =
            "INSERT INTO search_index (rowid, words) VALUES (:at * 1048576, :words)";

    /** Keeps more words in memory before they are written and merged. */
    private static final String HASH_SIZE =
            "INSERT INTO search_index (search_index, rank) VALUES ('hashsize', :bytes)";

    private static final int FILLING_BYTES = 128 << 20;
    private static final int STANDARD_BYTES = 1 << 20;

    private static final String ENTRY_OF_POSTGRESQL =
            """
            INSERT INTO search_entry (tenant_id, kind, conversation_id, item_id, page, text, at, user_id, words)
            VALUES ('default', 'message', :chat, :item, NULL, :text, :at, :user, CAST(:words AS tsvector))
            """;

    private static final String INDEX =
            "SELECT indexdef FROM pg_indexes WHERE indexname = 'search_index'";

    private final Dialect dialect;
    private final List<Entry> waiting = new ArrayList<>();
    private String index = "";

    /** A message of a person. */
    record Entry(String user, String chat, String item, String text, long at) {}

    IndexRows(Dialect dialect) {
        this.dialect = dialect;
    }

    /** PostgreSQL builds an index at once much faster than row by row. */
    int begin(Transaction tx) {
        return switch (dialect) {
            case SQLITE -> tx.update(HASH_SIZE).bind("bytes", FILLING_BYTES).execute();
            case POSTGRESQL -> {
                index = tx.query(INDEX).mapTo(String.class).one();
                yield tx.update("DROP INDEX search_index").execute();
            }
        };
    }

    void add(Entry entry) {
        waiting.add(entry);
    }

    void write(Transaction tx) {
        switch (dialect) {
            case SQLITE -> {
                PreparedBatch entries = tx.batch(ENTRY_OF_SQLITE);
                PreparedBatch words = tx.batch(WORDS_OF_SQLITE);
                for (Entry entry : waiting) {
                    bind(entries, entry).add();
                    words.bind("at", entry.at()).bind("words", marked(entry)).add();
                }
                int[] _ = entries.execute();
                int[] _ = words.execute();
            }
            case POSTGRESQL -> {
                PreparedBatch entries = tx.batch(ENTRY_OF_POSTGRESQL);
                for (Entry entry : waiting) {
                    bind(entries, entry)
                            .bind("user", entry.user())
                            .bind("words", positions(marked(entry)))
                            .add();
                }
                int[] _ = entries.execute();
            }
        }
        waiting.clear();
    }

    int end(Transaction tx) {
        return switch (dialect) {
            case SQLITE -> tx.update(HASH_SIZE).bind("bytes", STANDARD_BYTES).execute();
            case POSTGRESQL -> {
                int _ = tx.update("SET LOCAL maintenance_work_mem = '1GB'").execute();
                int _ = tx.update(index).execute();
                yield tx.update("ANALYZE").execute(); // as PostgreSQL does it by itself later
            }
        };
    }

    private static PreparedBatch bind(PreparedBatch batch, Entry entry) {
        return batch.bind("chat", entry.chat())
                .bind("item", entry.item())
                .bind("text", entry.text())
                .bind("at", entry.at());
    }

    /** With the three words that say whose entry it is. FTS5 folds the case. */
    private static String marked(Entry entry) {
        String person = hex(entry.user());
        return String.format("§%1$s §m%1$s §p%1$sx%2$s %3$s", HEX, person, entry.text());
    }

    private static String hex(String id) {
        return HexFormat.of().formatHex(id.getBytes(StandardCharsets.UTF_8));
    }

    private static String positions(String text) {
        StringBuilder vector = new StringBuilder();
        int position = 0;
        for (String word : text.split(" ", -1)) {
            vector.append('\'').append(word).append("':").append(++position).append(' ');
        }
        return vector.toString();
    }
}
