package dev.satchel.server.execution;

import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.ServerProcessId;
import java.time.Duration;

/** The leases of this server process on the runs that it executes. */
public record RunLease(ServerProcessId owner, Duration length, LeaseClock clock) {
    public static RunLease of(Duration length, LeaseClock clock) {
        return new RunLease(ServerProcessId.random(), length, clock);
    }

    long now(Transaction tx) {
        return clock.now(tx);
    }

    /** When a lease expires that is taken now. */
    long until(long now) {
        return now + length.toMillis();
    }
}
