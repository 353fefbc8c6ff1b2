package dev.satchel.server.bag;

import dev.satchel.server.database.Database;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import dev.satchel.server.run.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows and objects of a write-back before its commit. A crash leaves reservations, which the
 * sweeper deletes. For one thread.
 */
final class OutputReservations {
    private static final Logger LOG = LoggerFactory.getLogger(OutputReservations.class);

    private final Database database;
    private final BagStore store;
    private final ObjectStore objects;
    private final Run run;
    private final BagId bag;
    private final List<BagFile> reserved = new ArrayList<>();

    OutputReservations(Database database, BagStore store, ObjectStore objects, Run run) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.run = run;
        this.bag = BagService.bagOf(run);
    }

    /** A file at a path: a new version of the one before, or a new file with a free name. */
    BagFile plan(OutputNames names, String path, long now) {
        FileId id = FileId.random();
        Optional<OutputStore.Row> before = names.newest(path);
        String name = before.map(OutputStore.Row::name).orElseGet(() -> names.free(path));
        return file(id, path, name, before.map(OutputStore.Row::id).orElse(null), now);
    }

    private BagFile file(FileId id, String path, String name, @Nullable FileId before, long now) {
        return new BagFile(
                id,
                run.tenant(),
                null,
                name,
                "",
                0,
                "",
                bag.versionKey(run.tenant(), name, before == null ? null : id),
                BagFile.FROM_SANDBOX,
                now,
                path,
                before,
                null);
    }

    /** In the given order; a file whose name was taken meanwhile gets another. */
    List<BagFile> reserve(OutputNames names, List<BagFile> wanted) {
        List<BagFile> files = new ArrayList<>(wanted);
        List<BagFile> rest = wanted;
        while (!rest.isEmpty()) {
            List<BagFile> attempt = rest;
            List<BagFile> refused =
                    database.write(tx -> store.reserveAll(tx, bag, run.id(), attempt));
            rest = new ArrayList<>();
            for (BagFile file : refused) {
                BagFile other = renamed(file, names.free(file.path()));
                files.set(files.indexOf(file), other);
                rest.add(other);
            }
        }
        reserved.addAll(files);
        return files;
    }

    private BagFile renamed(BagFile file, String name) {
        BagFile other = file(file.id(), file.path(), name, file.supersedes(), file.createdAt());
        return other.withContent(file.mimeType(), new StoredObject(file.size(), file.sha256()));
    }

    void discardAll() {
        List.copyOf(reserved).forEach(this::discard);
    }

    /** Deletes the object first: the sweeper finds a row without an object, but not the reverse. */
    void discard(BagFile file) {
        reserved.removeIf(other -> other.id().equals(file.id()));
        try {
            objects.delete(file.storageKey());
            database.change(tx -> store.release(tx, file.id()));
        } catch (IOException | RuntimeException e) {
            LOG.warn("could not undo an upload, the sweeper will fileId={}", file.id().value(), e);
        }
    }
}
