package dev.satchel.server.execution;

import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.ServerProcessId;
import java.time.Duration;

/**
 * How this server takes runs.
 *
 * @param owner names it among others on the same database; a new one after each start
 */
public record RunLease(ServerProcessId owner, Duration length, LeaseClock clock) {
    public static RunLease of(Duration length, LeaseClock clock) {
        return new RunLease(ServerProcessId.random(), length, clock);
    }

    long now(Transaction tx) {
        return clock.now(tx);
    }

    /** When one that is taken now runs out. */
    long until(long now) {
        return now + length.toMillis();
    }
}
