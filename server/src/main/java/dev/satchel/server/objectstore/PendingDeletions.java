package dev.satchel.server.objectstore;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.io.IOException;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects after the rows that named them. The transaction that deletes the rows adds the
 * keys here, so a crash only delays the deletion to the next run.
 */
public final class PendingDeletions {
    private static final Logger LOG = LoggerFactory.getLogger(PendingDeletions.class);

    private final Database database;
    private final PendingDeletionStore store = new PendingDeletionStore();
    private final ObjectStore objects;
    private final Clock clock;

    public PendingDeletions(Database database, ObjectStore objects, Clock clock) {
        this.database = database;
        this.objects = objects;
        this.clock = clock;
    }

    public void add(Transaction tx, ObjectKey key) {
        store.add(tx, key.value(), clock.millis());
    }

    /** Everything beneath a prefix, which ends in a slash. */
    public void addAllBeneath(Transaction tx, String prefix) {
        store.add(tx, prefix, clock.millis());
    }

    /** Deletes all pending objects; a failed deletion is repeated in the next run. */
    public void run() {
        for (String key : database.read(store::all)) {
            try {
                delete(key);
                database.change(tx -> store.done(tx, key));
            } catch (IOException e) {
                LOG.warn("an object could not be deleted key={}", key, e);
            }
        }
    }

    private void delete(String key) throws IOException {
        if (key.endsWith("/")) {
            objects.deletePrefix(key);
        } else {
            objects.delete(new ObjectKey(key));
        }
    }
}
