package dev.satchel.server.objectstore;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects after the rows that named them. The transaction that deletes the rows adds the
 * keys here, so a crash only delays the deletion to the next run.
 */
public final class PendingDeletions {
    private static final Logger LOG = LoggerFactory.getLogger(PendingDeletions.class);

    private static final int PAGE = 500;

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

    /**
     * Deletes all pending objects; a failed deletion is repeated in the next run. Ends when the
     * store deletes nothing at the moment.
     */
    public void run() {
        String after = "";
        while (!Thread.currentThread().isInterrupted()) {
            String from = after;
            List<String> page = database.read(tx -> store.page(tx, from, PAGE));
            if (page.isEmpty()) {
                return;
            }
            if (!deleteAll(page)) {
                return;
            }
            after = page.getLast();
        }
    }

    /** For a caller that has just added some and waits for them; the others are left to a sweep. */
    public void runNewest() {
        boolean _ = deleteAll(database.read(tx -> store.newest(tx, PAGE)));
    }

    /** False when the store is not available. */
    private boolean deleteAll(List<String> keys) {
        List<String> done = new ArrayList<>();
        boolean isAvailable = true;
        for (String key : keys) {
            try {
                delete(key);
                done.add(key);
            } catch (ObjectStoreUnavailableException e) {
                LOG.warn("objects are deleted later reason={}", e.getMessage());
                isAvailable = false;
                break;
            } catch (IOException e) {
                LOG.warn("an object could not be deleted key={}", key, e);
            }
        }
        database.change(tx -> store.done(tx, done));
        return isAvailable;
    }

    private void delete(String key) throws IOException {
        if (key.endsWith("/")) {
            objects.deletePrefix(key);
        } else {
            objects.delete(new ObjectKey(key));
        }
    }
}
