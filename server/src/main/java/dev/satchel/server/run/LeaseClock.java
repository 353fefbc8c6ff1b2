package dev.satchel.server.run;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock of leases, tokens and signed links. Servers that share a database use the clock of
 * PostgreSQL, because their own may differ by more than a lease. SQLite has one server, which uses
 * its own, which does not follow changes of the system time.
 */
public final class LeaseClock implements InstantSource {
    private final Database database;
    private final InstantSource own;

    public LeaseClock(Database database, InstantSource own) {
        this.database = database;
        this.own = own;
    }

    /** Milliseconds since 1970. */
    public long now(Transaction tx) {
        return database.clock(tx).orElseGet(own::millis);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(database.read(this::now));
    }
}
