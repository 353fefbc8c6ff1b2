package dev.satchel.server.backup;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;

/**
 * Whether a backup is copying objects. Every server asks before it deletes an object, after the
 * transaction in which the last row that names the object was deleted. So an object that is deleted
 * is not named by the rows of the backup, since these are read when the hold is valid.
 */
public final class ObjectHold {
    private final Database database;
    private final BackupHoldStore store = new BackupHoldStore();
    private final Clock clock;

    /** Servers that share a database use its clock; {@code clock} is for SQLite. */
    public ObjectHold(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    public boolean isValid() {
        return database.read(tx -> store.isHeld(tx, now(tx)));
    }

    private long now(Transaction tx) {
        return database.clock(tx).orElseGet(clock::millis);
    }
}
