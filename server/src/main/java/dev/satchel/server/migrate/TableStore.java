package dev.satchel.server.migrate;

import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads and inserts the rows of any table in the catalogue of SQLite, so that new tables need no
 * change here. Triggers of the target compute the sums, so that tables of usage are not copied, nor
 * what was compared by their help. The index of the search is made again in the target. The
 * statements contain only names from that catalogue.
 */
final class TableStore {
    private static final String TABLES =
            """
            SELECT name FROM sqlite_master
             WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
               AND substr(name, 1, 7) <> 'search_'
               AND name NOT IN
                   ('schema_step', 'conversation_usage', 'tenant_usage', 'workspace_comparison')
             ORDER BY name
            """;

    private static final String COLUMNS = "SELECT name FROM pragma_table_info(:name) ORDER BY cid";

    private static final String KEY =
            "SELECT name FROM pragma_table_info(:name) WHERE pk > 0 ORDER BY pk";

    private static final String REFERENCES =
            "SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(:name)";

    private static final int FETCH_SIZE = 500;

    /** Tables in an order in which their rows can be inserted. */
    List<SchemaTable> tables(Transaction sqlite) {
        List<SchemaTable> waiting = new ArrayList<>();
        for (String name : sqlite.query(TABLES).mapTo(String.class).list()) {
            waiting.add(table(sqlite, name));
        }
        List<SchemaTable> ordered = new ArrayList<>();
        Set<String> done = new HashSet<>();
        while (!waiting.isEmpty()) {
            List<SchemaTable> ready =
                    waiting.stream().filter(table -> done.containsAll(table.references())).toList();
            if (ready.isEmpty()) {
                throw new IllegalStateException("foreign keys form a cycle: " + waiting);
            }
            ordered.addAll(ready);
            waiting.removeAll(ready);
            ready.forEach(table -> done.add(table.name()));
        }
        return ordered;
    }

    /**
     * Passes each row to the reader, in no particular order. PostgreSQL fetches rows in batches
     * only within a transaction, so {@code tx} must be one that can write.
     */
    void read(Transaction tx, SchemaTable table, Consumer<@Nullable Object[]> reader) {
        read(tx, table, "", reader);
    }

    /** As {@link #read}, in an order that stays the same while rows are added. */
    void readInOrder(Transaction tx, SchemaTable table, Consumer<@Nullable Object[]> reader) {
        List<String> order = table.order();
        read(tx, table, order.isEmpty() ? "" : " ORDER BY " + joined(order), reader);
    }

    private static void read(
            Transaction tx, SchemaTable table, String order, Consumer<@Nullable Object[]> reader) {
        String sql = "SELECT " + columns(table) + " FROM " + quoted(table.name()) + order;
        int width = table.columns().size();
        try (Stream<@Nullable Object[]> rows =
                tx
                        .query(sql)
                        .setFetchSize(FETCH_SIZE)
                        .map((row, _) -> values(row, width))
                        .stream()) {
            rows.forEach(reader);
        }
    }

    void insert(Transaction tx, SchemaTable table, List<@Nullable Object[]> rows) {
        String parameters = "?" + ", ?".repeat(table.columns().size() - 1);
        PreparedBatch batch =
                tx.batch(
                        "INSERT INTO %s (%s) VALUES (%s)"
                                .formatted(quoted(table.name()), columns(table), parameters));
        for (@Nullable Object[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                batch.bind(i, row[i]);
            }
            batch.add();
        }
        batch.execute();
    }

    private static SchemaTable table(Transaction sqlite, String name) {
        List<String> columns = sqlite.query(COLUMNS).bind("name", name).mapTo(String.class).list();
        List<String> key = sqlite.query(KEY).bind("name", name).mapTo(String.class).list();
        Set<String> references =
                new HashSet<>(
                        sqlite.query(REFERENCES).bind("name", name).mapTo(String.class).list());
        references.remove(name);
        return new SchemaTable(name, columns, key, references);
    }

    /** SQLite returns small integers as Integer, PostgreSQL as Long: both become Long. */
    private static @Nullable Object[] values(ResultSet row, int width) throws SQLException {
        @Nullable Object[] values = new @Nullable Object[width];
        for (int i = 0; i < width; i++) {
            Object value = row.getObject(i + 1);
            values[i] = value instanceof Integer small ? Long.valueOf(small) : value;
        }
        return values;
    }

    private static String columns(SchemaTable table) {
        return joined(table.columns());
    }

    private static String joined(List<String> names) {
        return names.stream().map(TableStore::quoted).collect(Collectors.joining(", "));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
