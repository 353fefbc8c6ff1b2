package dev.satchel.server.migrate;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.search.SearchBackfill;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Copies every row in one transaction, which is committed only after the rows were verified. So the
 * target has all rows or none, and an interrupted migration starts again.
 */
public final class RowMigration {
    private static final int BATCH = 500;

    private final TableStore store = new TableStore();
    private final Database source;
    private final Database target;
    private final Consumer<String> report;

    /** {@code report} receives a line for each table. */
    public RowMigration(Database source, Database target, Consumer<String> report) {
        this.source = source;
        this.target = target;
        this.report = report;
    }

    /**
     * Whether the target has exactly these rows; false when it is empty.
     *
     * @throws MigrationException when it has other rows
     */
    public boolean isDone() throws MigrationException {
        boolean isEqual = true;
        SchemaTable nonEmpty = null;
        for (SchemaTable table : source.read(store::tables)) {
            RowDigest.Value found = target.writeWithoutTimeLimit(tx -> digest(tx, table));
            nonEmpty = found.count() > 0 ? table : nonEmpty;
            isEqual = isEqual && found.equals(source.read(tx -> digest(tx, table)));
        }
        if (nonEmpty != null && !isEqual) {
            throw new MigrationException(
                    "the target database is not empty (table "
                            + nonEmpty.name()
                            + " has rows): name a fresh one in DATABASE_URL");
        }
        return isEqual;
    }

    /** Returns the number of copied rows. */
    public long migrate() throws MigrationException {
        try {
            return source.read(from -> target.writeWithoutTimeLimit(to -> copyAll(from, to)));
        } catch (RowMismatchException e) {
            throw new MigrationException(
                    "table " + e.getMessage() + " was not stored correctly: no row was copied");
        }
    }

    /** Makes the index of the search in the target, which is not copied. */
    public void index(UnaryOperator<String> searchedOfMessage) {
        new SearchBackfill(target, searchedOfMessage, Clock.systemUTC()).runToEnd();
    }

    private long copyAll(Transaction from, Transaction to) {
        long rows = 0;
        for (SchemaTable table : store.tables(from)) {
            RowDigest.Value written = copy(from, to, table);
            if (!digest(to, table).equals(written)) {
                throw new RowMismatchException(table.name());
            }
            report.accept("rows: " + table.name() + " " + written.count());
            rows += written.count();
        }
        return rows;
    }

    private RowDigest.Value copy(Transaction from, Transaction to, SchemaTable table) {
        RowDigest digest = new RowDigest();
        List<@Nullable Object[]> batch = new ArrayList<>();
        store.read(
                from,
                table,
                row -> {
                    digest.add(row);
                    batch.add(row);
                    if (batch.size() == BATCH) {
                        store.insert(to, table, batch);
                        batch.clear();
                    }
                });
        if (!batch.isEmpty()) {
            store.insert(to, table, batch);
        }
        return digest.value();
    }

    private RowDigest.Value digest(Transaction tx, SchemaTable table) {
        RowDigest digest = new RowDigest();
        store.read(tx, table, digest::add);
        return digest.value();
    }

    /** Rolls the transaction back. */
    private static final class RowMismatchException extends RuntimeException {
        RowMismatchException(String table) {
            super(table);
        }
    }
}
