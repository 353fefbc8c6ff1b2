package dev.satchel.server.objectstore;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.io.IOException;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes bytes after the rows that named them. What is to go is written down in the transaction
 * that forgets it, so a crash in between only delays it to the next round.
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

    /** Deletes what is written down; one that fails is tried again in the next round. */
    public void run() {
        for (String key : database.read(store::all)) {
            try {
                erase(key);
                database.change(tx -> store.done(tx, key));
            } catch (IOException e) {
                LOG.warn("deleted bytes stay for now key={}", key, e);
            }
        }
    }

    private void erase(String key) throws IOException {
        if (key.endsWith("/")) {
            objects.deletePrefix(key);
        } else {
            objects.delete(new ObjectKey(key));
        }
    }
}
