package dev.satchel.server.backup;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Migrations;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Backs up a system while it runs. Objects are stored before the rows that name them and deleted
 * after them, and are never changed. So the backup reads all rows of one moment first, and then
 * copies the objects, while a hold keeps every server from deleting any.
 */
public final class Backup {
    private final Database database;
    private final ObjectStore objects;
    private final BackupPlace place;
    private final Clock clock;
    private final Consumer<String> report;

    /** {@code report} receives progress lines. */
    public Backup(
            Database database,
            ObjectStore objects,
            BackupPlace place,
            Clock clock,
            Consumer<String> report) {
        this.database = database;
        this.objects = objects;
        this.place = place;
        this.clock = clock;
        this.report = report;
    }

    /** What to do beyond a usual backup. */
    public record Options(String version, boolean full, Optional<Integer> keep) {}

    /** The name of a backup, and how many credentials it has, whose key it does not have. */
    public record Result(String name, long credentials) {}

    public Result run(Options options) throws IOException, InterruptedException, BackupException {
        int step = Migrations.applied(database);
        if (step != Migrations.newest()) {
            throw new BackupException(
                    "the database has the schema of another version (step %d, this program knows %d): use the programs of the server's version"
                            .formatted(step, Migrations.newest()));
        }
        try (BackupHold hold = BackupHold.take(database, clock)) {
            place.findContent();
            Map<String, BackupObject> before = options.full() ? Map.of() : newest();
            long takenAt = clock.millis();
            List<BackupState.Table> tables = new RowExport(database, place, report).export(step);
            ObjectExport export = new ObjectExport(objects, place, report);
            Instant rowsRead = export.now();
            List<BackupObject> copied = export.export(before, rowsRead);
            BackupState state =
                    new BackupState(
                            BackupState.FORMAT,
                            takenAt,
                            step,
                            options.version(),
                            tables,
                            export.write(copied),
                            copied.size(),
                            copied.stream().mapToLong(BackupObject::size).sum());
            hold.require();
            String name = place.add(state);
            report.accept(
                    "files: %d of %d are new, %d bytes"
                            .formatted(export.copied(), copied.size(), export.copiedBytes()));
            if (options.keep().isPresent()) {
                prune(options.keep().get());
            }
            return new Result(name, state.rowsOf("credential"));
        }
    }

    /** The objects of the newest backup, which need not be read again. */
    private Map<String, BackupObject> newest() throws IOException, BackupException {
        if (place.states().isEmpty()) {
            return Map.of();
        }
        Map<String, BackupObject> objects = new HashMap<>();
        for (String piece : place.state(Optional.empty()).state().objects()) {
            objects(place, piece).forEach(object -> objects.put(object.key(), object));
        }
        return objects;
    }

    static List<BackupObject> objects(BackupPlace place, String piece)
            throws IOException, BackupException {
        return new String(place.piece(piece), StandardCharsets.UTF_8)
                .lines()
                .map(line -> Json.MAPPER.readValue(line, BackupObject.class))
                .toList();
    }

    /** Deletes the states first: content without a state is of no use. */
    private void prune(int keep) throws IOException, BackupException {
        List<String> all = place.states();
        List<String> old = all.subList(0, Math.max(0, all.size() - keep));
        Set<String> needed = new HashSet<>();
        for (String name : all.subList(old.size(), all.size())) {
            addContent(place.state(Optional.of(name)).state(), needed);
        }
        for (String name : old) {
            place.delete(name);
        }
        int deleted = place.deleteContentExcept(needed);
        report.accept("old backups: %d deleted, with %d pieces".formatted(old.size(), deleted));
    }

    private void addContent(BackupState state, Set<String> needed)
            throws IOException, BackupException {
        state.tables().forEach(table -> needed.addAll(table.pieces()));
        needed.addAll(state.objects());
        for (String piece : state.objects()) {
            objects(place, piece).forEach(object -> needed.add(object.sha256()));
        }
    }
}
