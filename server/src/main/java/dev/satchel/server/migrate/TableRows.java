package dev.satchel.server.migrate;

import dev.satchel.server.database.Transaction;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rows of all tables, for what copies whole databases. */
public final class TableRows {
    private final TableStore store = new TableStore();

    /** The tables of SQLite that are copied, in an order in which their rows can be inserted. */
    public List<SchemaTable> tables(Transaction sqlite) {
        return store.tables(sqlite);
    }

    /** Passes each row to the reader, in an order that stays the same while rows are added. */
    public void read(Transaction tx, SchemaTable table, Consumer<@Nullable Object[]> reader) {
        store.readInOrder(tx, table, reader);
    }

    public void insert(Transaction tx, SchemaTable table, List<@Nullable Object[]> rows) {
        store.insert(tx, table, rows);
    }

    /** Reads all rows; the order is of no importance. */
    public RowDigest.Value digest(Transaction tx, SchemaTable table) {
        RowDigest digest = new RowDigest();
        store.read(tx, table, digest::add);
        return digest.value();
    }
}
