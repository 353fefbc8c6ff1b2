package dev.satchel.server.backup;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.schedule.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/** The hold of one backup, which a thread renews until it is closed. */
final class BackupHold implements AutoCloseable {
    /** After a backup was killed, objects are not deleted for so long. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration RENEWAL = Duration.ofSeconds(5);

    private final Database database;
    private final Clock clock;
    private final BackupHoldStore store = new BackupHoldStore();
    private final String holder = UUID.randomUUID().toString();
    private final Scheduler renewals = new Scheduler("backup-hold");

    private BackupHold(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** The caller closes it. */
    static BackupHold take(Database database, Clock clock) throws BackupException {
        BackupHold hold = new BackupHold(database, clock);
        if (!database.write(tx -> hold.store.take(tx, hold.holder, hold.now(tx), hold.until(tx)))) {
            throw new BackupException(
                    "another backup is in progress, or was killed less than "
                            + LEASE.toSeconds()
                            + " seconds ago: try again later");
        }
        hold.renewals.every(RENEWAL, hold::renew);
        return hold;
    }

    /** Throws when the hold was not valid all the time, since objects may be missing then. */
    void require() throws BackupException {
        if (!renew()) {
            throw new BackupException(
                    "the database was away, or this program stood still, for more than "
                            + LEASE.toSeconds()
                            + " seconds: run the backup again; what it has copied is used");
        }
    }

    @Override
    public void close() {
        renewals.close();
        database.change(tx -> store.release(tx, holder));
    }

    private boolean renew() {
        return database.write(tx -> store.renew(tx, holder, now(tx), until(tx)));
    }

    private long until(Transaction tx) {
        return now(tx) + LEASE.toMillis();
    }

    private long now(Transaction tx) {
        return database.clock(tx).orElseGet(clock::millis);
    }
}
