package dev.satchel.server.backup;

import dev.satchel.server.migrate.ParallelTasks;
import dev.satchel.server.migrate.RowDigest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads a whole backup and compares everything with its hashes and counts. */
public final class BackupCheck {
    private static final int THREADS = 8;

    private final BackupPlace place;
    private final Consumer<String> report;

    public BackupCheck(BackupPlace place, Consumer<String> report) {
        this.place = place;
        this.report = report;
    }

    /** The newest backup, or the one with the name. Returns its name. */
    public String check(Optional<String> name)
            throws IOException, InterruptedException, BackupException {
        BackupPlace.Named named = place.state(name);
        BackupState state = named.state();
        for (BackupState.Table table : state.tables()) {
            check(table);
        }
        report.accept("rows: all " + state.rows() + " are right");
        Set<String> contents = new HashSet<>();
        long count = 0;
        for (String piece : state.objects()) {
            for (BackupObject object : Backup.objects(place, piece)) {
                contents.add(object.sha256());
                count++;
            }
        }
        if (count != state.objectCount()) {
            throw new BackupException(
                    "the list of files has " + count + " entries, not " + state.objectCount());
        }
        checkContents(List.copyOf(contents));
        report.accept("files: all " + count + " are right");
        return named.name();
    }

    private void check(BackupState.Table table) throws IOException, BackupException {
        RowDigest digest = new RowDigest();
        int width = table.columns().size();
        for (String piece : table.pieces()) {
            for (String line : lines(place.piece(piece))) {
                digest.add(RowFormat.read(line, width));
            }
        }
        RowDigest.Value found = digest.value();
        if (found.count() != table.rows() || !found.sum().toString(16).equals(table.digest())) {
            throw new BackupException(
                    "the rows of the table " + table.name() + " are not complete");
        }
    }

    static List<String> lines(byte[] piece) {
        String text = new String(piece, StandardCharsets.UTF_8);
        return List.of(text.substring(0, text.length() - 1).split("\n", -1));
    }

    private void checkContents(List<String> contents)
            throws IOException, InterruptedException, BackupException {
        try {
            ParallelTasks.forEach(
                    THREADS,
                    contents,
                    sha256 -> {
                        try {
                            place.check(sha256);
                        } catch (BackupException e) {
                            throw new IOException(e);
                        }
                    });
        } catch (IOException e) {
            if (e.getCause() instanceof BackupException damaged) {
                throw damaged;
            }
            throw e;
        }
    }
}
