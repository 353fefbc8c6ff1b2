package dev.satchel.server.idempotency;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.idempotency.IdempotencyStore.Attempt;
import dev.satchel.server.idempotency.IdempotencyStore.KeyId;
import dev.satchel.server.idempotency.IdempotencyStore.Row;
import dev.satchel.server.idempotency.IdempotencyStore.State;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who is at which write. A lease is renewed while its request is in flight, so a server that dies
 * leaves its keys to whoever sends the request again.
 */
public final class IdempotentAttempts {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Database database;
    private final Duration kept;
    private final InstantSource clock;
    private final IdempotencyStore store = new IdempotencyStore();
    private final Set<Attempt> inFlight = ConcurrentHashMap.newKeySet();

    /**
     * @param kept how long a key is remembered
     * @param clock the same one for all servers of the database, for they judge each other by it
     */
    public IdempotentAttempts(Database database, Duration kept, InstantSource clock) {
        this.database = database;
        this.kept = kept;
        this.clock = clock;
        if (database.dialect() == Dialect.SQLITE) { // its folder is locked: we are alone
            database.change(store::endAllLeases);
        }
    }

    /** To be called well within a lease, again and again. */
    public void renew() {
        List<Attempt> now = List.copyOf(inFlight);
        if (!now.isEmpty()) {
            database.change(tx -> store.renew(tx, now, leaseEnd()));
        }
    }

    /** Forgets what is older than the promise. */
    public void sweep() {
        database.change(tx -> store.sweep(tx, clock.millis()));
    }

    /** The row as it stands, unless its time is over. */
    Optional<Row> find(KeyId id) {
        return database.read(tx -> store.find(tx, id))
                .filter(row -> row.expiresAt() > clock.millis());
    }

    /** Whether somebody is at it at this moment. */
    boolean isHeld(Row row) {
        return row.leaseUntil() > clock.millis();
    }

    /** Takes a free row; empty when somebody else was quicker. */
    Optional<Claim> claim(KeyId id, @Nullable String requestHash) {
        Attempt attempt = new Attempt(id, UUID.randomUUID().toString());
        Row wanted =
                new Row(
                        UUID.randomUUID().toString(),
                        attempt.value(),
                        State.RUNNING,
                        requestHash,
                        null,
                        leaseEnd(),
                        clock.millis() + kept.toMillis());
        Optional<Row> row =
                database.write(
                        tx ->
                                store.claim(tx, attempt, wanted, clock.millis())
                                        ? store.find(tx, id)
                                        : Optional.empty());
        row.ifPresent(_ -> inFlight.add(attempt));
        return row.map(mine -> new Claim(attempt, mine));
    }

    /** A row that is ours until we say how it ended, once. */
    final class Claim {
        private final Attempt attempt;
        private final Row row;

        private Claim(Attempt attempt, Row row) {
            this.attempt = attempt;
            this.row = row;
        }

        Row row() {
            return row;
        }

        /** What the request makes is there: others may join it. */
        void begun(String requestHash) {
            if (inFlight.remove(attempt)) {
                database.change(tx -> store.begin(tx, attempt, requestHash));
            }
        }

        void answered(String requestHash, String answer) {
            if (inFlight.remove(attempt)) {
                database.change(tx -> store.answer(tx, attempt, requestHash, answer));
            }
        }

        /** Nothing was done, or nothing that could be told again: the key is free. */
        void release() {
            if (inFlight.remove(attempt)) {
                database.change(tx -> store.release(tx, attempt));
            }
        }

        boolean isOpen() {
            return inFlight.contains(attempt);
        }
    }

    private long leaseEnd() {
        return clock.millis() + LEASE.toMillis();
    }
}
