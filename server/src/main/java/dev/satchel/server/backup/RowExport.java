package dev.satchel.server.backup;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.migrate.RowDigest;
import dev.satchel.server.migrate.SchemaTable;
import dev.satchel.server.migrate.TableRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one moment into a backup. */
final class RowExport {
    /** About the servers that run now; a restored system has others. */
    private static final Set<String> OF_SERVERS =
            Set.of("backup_hold", "node", "readiness_check", "run_reader", "sweep_lease");

    private final TableRows rows = new TableRows();
    private final Database database;
    private final BackupPlace place;
    private final Consumer<String> report;

    RowExport(Database database, BackupPlace place, Consumer<String> report) {
        this.database = database;
        this.place = place;
        this.report = report;
    }

    List<BackupState.Table> export(int step) throws IOException {
        List<SchemaTable> tables = tables(step);
        try {
            return database.readOneState(tx -> tables.stream().map(it -> export(tx, it)).toList());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Of the schema with the step, as an empty SQLite file has it. */
    static List<SchemaTable> tables(int step) throws IOException {
        Path folder = Files.createTempDirectory("satchel-schema-");
        try {
            try (Database empty = Databases.sqlite(folder.resolve("schema.db"), step)) {
                List<SchemaTable> tables = new ArrayList<>(empty.read(new TableRows()::tables));
                tables.removeIf(table -> OF_SERVERS.contains(table.name()));
                return tables;
            }
        } finally {
            for (String file : List.of("schema.db", "schema.db-wal", "schema.db-shm")) {
                Files.deleteIfExists(folder.resolve(file));
            }
            Files.deleteIfExists(folder);
        }
    }

    private BackupState.Table export(Transaction tx, SchemaTable table) {
        PieceWriter pieces = new PieceWriter(place);
        RowDigest digest = new RowDigest();
        rows.read(
                tx,
                table,
                row -> {
                    digest.add(row);
                    add(pieces, row);
                });
        RowDigest.Value value = digest.value();
        report.accept("rows: " + table.name() + " " + value.count());
        return new BackupState.Table(
                table.name(),
                table.columns(),
                value.count(),
                value.sum().toString(16),
                finish(pieces));
    }

    private static void add(PieceWriter pieces, @Nullable Object[] row) {
        try {
            pieces.add(RowFormat.write(row));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> finish(PieceWriter pieces) {
        try {
            return pieces.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
