package dev.satchel.server.backup;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Migrations;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.migrate.ParallelTasks;
import dev.satchel.server.migrate.SchemaTable;
import dev.satchel.server.migrate.TableRows;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills an empty database and an empty object store from a backup: the objects first, then all rows
 * in one transaction. One that was interrupted is run again.
 */
public final class Restore {
    private static final int THREADS = 8;
    private static final int BATCH = 500;
    private static final int REPORTS = 20;

    private final TableRows rows = new TableRows();
    private final BackupPlace place;
    private final BackupPlace.Named backup;
    private final Consumer<String> report;

    private Restore(BackupPlace place, BackupPlace.Named backup, Consumer<String> report) {
        this.place = place;
        this.backup = backup;
        this.report = report;
    }

    /** Of the newest backup, or the one with the name. {@code report} receives progress lines. */
    public static Restore of(BackupPlace place, Optional<String> name, Consumer<String> report)
            throws IOException, BackupException {
        BackupPlace.Named backup = place.state(name);
        if (backup.state().step() > Migrations.newest()) {
            throw new BackupException(
                    "the backup was made by a newer version ("
                            + backup.state().version()
                            + "): use that version");
        }
        return new Restore(place, backup, report);
    }

    public String name() {
        return backup.name();
    }

    /** The schema of the rows; the database must have it when they are restored. */
    public int step() {
        return backup.state().step();
    }

    /** How many credentials there are, whose key is not in the backup. */
    public long credentials() {
        return backup.state().rowsOf("credential");
    }

    /** To be called first, so that nothing is copied into a place that is in use. */
    public void requireEmpty(Database target) throws IOException, BackupException {
        for (SchemaTable table : RowExport.tables(step())) {
            if (target.writeWithoutTimeLimit(tx -> rows.digest(tx, table)).count() > 0) {
                throw new BackupException(
                        "the database is not empty (table "
                                + table.name()
                                + " has rows): name an empty one");
            }
        }
    }

    /** Returns the number of objects. */
    public long restoreObjects(ObjectStore target)
            throws IOException, InterruptedException, BackupException {
        Map<String, BackupObject> expected = new HashMap<>();
        for (String piece : backup.state().objects()) {
            Backup.objects(place, piece).forEach(object -> expected.put(object.key(), object));
        }
        Map<String, Long> there = sizes(target);
        for (Map.Entry<String, Long> found : there.entrySet()) {
            BackupObject object = expected.get(found.getKey());
            if (object == null || object.size() != found.getValue()) {
                throw new BackupException(
                        "the place for the files is not empty (it has "
                                + found.getKey()
                                + "): name an empty one");
            }
        }
        List<BackupObject> missing = new ArrayList<>(expected.values());
        missing.removeIf(object -> there.containsKey(object.key()));
        AtomicInteger count = new AtomicInteger();
        int step = Math.max(1, missing.size() / REPORTS);
        ParallelTasks.forEach(
                THREADS,
                missing,
                object -> {
                    restore(target, object);
                    int now = count.incrementAndGet();
                    if (now % step == 0 || now == missing.size()) {
                        report.accept("files: " + now + " of " + missing.size() + " copied");
                    }
                });
        return expected.size();
    }

    /** All rows or none. Returns their number. */
    public long restoreRows(Database target) throws IOException, BackupException {
        Map<String, SchemaTable> schema = new HashMap<>();
        RowExport.tables(step()).forEach(table -> schema.put(table.name(), table));
        try {
            return target.writeWithoutTimeLimit(tx -> restoreAll(tx, schema));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RowsRefusedException e) {
            throw new BackupException(String.valueOf(e.getMessage()), e);
        }
    }

    private void restore(ObjectStore target, BackupObject object) throws IOException {
        ObjectKey key = new ObjectKey(object.key());
        try (InputStream content = place.open(object.sha256())) {
            StoredObject stored = target.put(key, content);
            if (!stored.sha256().equals(object.sha256())) {
                target.delete(key);
                throw new IOException("the content of " + key + " is damaged in the backup");
            }
        } catch (BackupException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private long restoreAll(Transaction tx, Map<String, SchemaTable> schema) {
        long count = 0;
        for (BackupState.Table table : backup.state().tables()) {
            SchemaTable target = schema.get(table.name());
            if (target == null || !target.columns().equals(table.columns())) {
                throw new RowsRefusedException("the table " + table.name() + " has another form");
            }
            insert(tx, target, table);
            if (!rows.digest(tx, target).sum().toString(16).equals(table.digest())) {
                throw new RowsRefusedException(
                        "the table " + table.name() + " was not stored correctly");
            }
            report.accept("rows: " + table.name() + " " + table.rows());
            count += table.rows();
        }
        return count;
    }

    private void insert(Transaction tx, SchemaTable table, BackupState.Table saved) {
        List<@Nullable Object[]> batch = new ArrayList<>();
        for (String piece : saved.pieces()) {
            for (String line : lines(piece)) {
                batch.add(row(line, saved.columns().size()));
                if (batch.size() == BATCH) {
                    rows.insert(tx, table, batch);
                    batch.clear();
                }
            }
        }
        if (!batch.isEmpty()) {
            rows.insert(tx, table, batch);
        }
    }

    private List<String> lines(String piece) {
        try {
            return BackupCheck.lines(place.piece(piece));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (BackupException e) {
            throw new RowsRefusedException(String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Object[] row(String line, int width) {
        try {
            return RowFormat.read(line, width);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Long> sizes(ObjectStore target) throws IOException {
        Map<String, Long> sizes = new HashMap<>();
        try (Stream<ListedObject> listed = target.list("")) {
            listed.forEach(object -> sizes.put(object.key().value(), object.size()));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return sizes;
    }

    /** Rolls the transaction back. */
    private static final class RowsRefusedException extends RuntimeException {
        RowsRefusedException(String message) {
            super(message);
        }
    }
}
