package dev.satchel.server.migrate;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies every row in one transaction, which is only committed when what was written reads as what
 * was copied. So a target holds all rows or none, and a move that was killed begins anew.
 */
public final class RowMigration {
    private static final int BATCH = 500;

    private final TableStore store = new TableStore();
    private final Database source;
    private final Database target;
    private final Consumer<String> report;

    /** The report gets a line for each table. */
    public RowMigration(Database source, Database target, Consumer<String> report) {
        this.source = source;
        this.target = target;
        this.report = report;
    }

    /**
     * Whether the target holds these very rows already; false when it is empty.
     *
     * @throws MigrationException when it holds others
     */
    public boolean isDone() throws MigrationException {
        boolean isSame = true;
        SchemaTable taken = null;
        for (SchemaTable table : source.read(store::tables)) {
            RowDigest.Value theirs = target.write(tx -> digest(tx, table));
            taken = theirs.count() > 0 ? table : taken;
            isSame = isSame && theirs.equals(source.read(tx -> digest(tx, table)));
        }
        if (taken != null && !isSame) {
            throw new MigrationException(
                    "the target database is not empty (table "
                            + taken.name()
                            + " has rows): name a fresh one in DATABASE_URL");
        }
        return isSame;
    }

    /** Returns how many rows were moved. */
    public long move() throws MigrationException {
        try {
            return source.read(from -> target.write(to -> move(from, to)));
        } catch (DifferentRows e) {
            throw new MigrationException(
                    "table "
                            + e.getMessage()
                            + " does not read as it was written: nothing was kept");
        }
    }

    private long move(Transaction from, Transaction to) {
        long rows = 0;
        for (SchemaTable table : store.tables(from)) {
            RowDigest.Value written = copy(from, to, table);
            if (!digest(to, table).equals(written)) {
                throw new DifferentRows(table.name());
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
    private static final class DifferentRows extends RuntimeException {
        DifferentRows(String table) {
            super(table);
        }
    }
}
