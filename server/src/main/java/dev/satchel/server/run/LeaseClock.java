package dev.satchel.server.run;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time that leases, tokens and signed links are judged by. Servers that share a database must
 * read it from one clock, for their own may differ by more than a lease: PostgreSQL's. SQLite has
 * one server, and so that one's clock.
 */
public final class LeaseClock implements InstantSource {
    private final Database database;
    private final InstantSource ours;

    public LeaseClock(Database database, InstantSource ours) {
        this.database = database;
        this.ours = ours;
    }

    /** Milliseconds since 1970. */
    public long now(Transaction tx) {
        return database.clock(tx).orElseGet(ours::millis);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(database.read(this::now));
    }
}
