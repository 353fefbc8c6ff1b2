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
 * The executions of requests with idempotency keys. A lease is renewed while its request runs. When
 * a server dies, its leases end, and a repeated request is executed.
 */
public final class IdempotentAttempts {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Database database;
    private final Duration retention;
    private final InstantSource clock;
    private final IdempotencyStore store = new IdempotencyStore();
    private final Set<Attempt> inFlight = ConcurrentHashMap.newKeySet();

    /**
     * @param retention how long a key is stored
     * @param clock the same for all servers of the database, since they compare leases with it
     */
    public IdempotentAttempts(Database database, Duration retention, InstantSource clock) {
        this.database = database;
        this.retention = retention;
        this.clock = clock;
        if (database.dialect() == Dialect.SQLITE) { // the only server on this database
            database.change(store::endAllLeases);
        }
    }

    /** Must be called several times per lease. */
    public void renew() {
        List<Attempt> now = List.copyOf(inFlight);
        if (!now.isEmpty()) {
            database.change(tx -> store.renew(tx, now, leaseEnd()));
        }
    }

    /** Deletes expired keys. */
    public void sweep() {
        database.change(tx -> store.sweep(tx, clock.millis()));
    }

    /** The row, unless it has expired. */
    Optional<Row> find(KeyId id) {
        return database.read(tx -> store.find(tx, id))
                .filter(row -> row.expiresAt() > clock.millis());
    }

    /** Whether the request is being executed now. */
    boolean isHeld(Row row) {
        return row.leaseUntil() > clock.millis();
    }

    /** Takes a row that is free; empty when another request has taken it. */
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
                        clock.millis() + retention.toMillis());
        Optional<Row> row =
                database.write(
                        tx ->
                                store.claim(tx, attempt, wanted, clock.millis())
                                        ? store.find(tx, id)
                                        : Optional.empty());
        row.ifPresent(_ -> inFlight.add(attempt));
        return row.map(held -> new Claim(attempt, held));
    }

    /** A row that this request holds until it reports the result, once. */
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

        /** The run of the request exists: repeated requests may follow it. */
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

        /** Frees the key: the request has changed nothing, or its response cannot be repeated. */
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
