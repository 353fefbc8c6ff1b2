package dev.satchel.server.document;

import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the texts of bytes that no file has any more, and objects that a crash has left. */
public final class DocumentTextSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentTextSweeper.class);

    /** Longer than any extraction: a younger object may still get its row. */
    private static final Duration MIN_AGE = Duration.ofHours(24);

    private final Database database;
    private final DocumentTextStore store;
    private final ObjectStore objects;
    private final PendingDeletions deletions;
    private final Clock clock;

    public DocumentTextSweeper(
            Database database,
            DocumentTextStore store,
            ObjectStore objects,
            PendingDeletions deletions,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.deletions = deletions;
        this.clock = clock;
    }

    public void sweep() {
        List<DocumentTextStore.Unused> page = database.read(tx -> store.unused(tx, null));
        while (!page.isEmpty() && !Thread.currentThread().isInterrupted()) {
            page.forEach(this::delete);
            DocumentTextStore.Unused last = page.getLast();
            page = database.read(tx -> store.unused(tx, last));
        }
        deletions.run();
        try (Stream<ListedObject> listed = objects.list(FileTexts.AREA)) {
            listed.forEach(this::deleteOrphan);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("could not sweep the texts of files", e);
        }
    }

    private void delete(DocumentTextStore.Unused unused) {
        database.change(
                tx -> {
                    ObjectKey key = unused.text().key();
                    if (store.removeUnused(tx, unused) && key != null) {
                        deletions.add(tx, key);
                    }
                });
    }

    private void deleteOrphan(ListedObject object) {
        Instant old = clock.instant().minus(MIN_AGE);
        if (object.modified().isAfter(old) || database.read(tx -> store.exists(tx, object.key()))) {
            return;
        }
        try {
            objects.delete(object.key());
        } catch (IOException e) {
            LOG.warn("could not delete an object without a row key={}", object.key(), e);
        }
    }
}
