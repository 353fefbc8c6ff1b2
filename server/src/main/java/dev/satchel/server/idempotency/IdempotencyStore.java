package dev.satchel.server.idempotency;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserStore.PersonData;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Rows of idempotency keys. Of two requests at the same time, one can insert the row. */
public final class IdempotencyStore implements PersonData {
    private static final String ONE = " WHERE tenant_id = :tenant AND key_hash = :key";

    private static final String MINE = ONE + " AND attempt = :attempt AND state = 'running'";

    private static final String FIND =
            """
            SELECT operation_id, attempt, state, request_hash, answer, lease_until, expires_at
              FROM idempotency_key
            """
                    + ONE;

    private static final String DROP_EXPIRED =
            "DELETE FROM idempotency_key" + ONE + " AND expires_at <= :now";

    private static final String INSERT =
            """
            INSERT INTO idempotency_key
                (tenant_id, key_hash, operation_id, attempt, state, request_hash,
                 lease_until, expires_at)
            VALUES (:tenant, :key, :operation, :attempt, 'running', :hash, :until, :expires)
            ON CONFLICT (tenant_id, key_hash) DO NOTHING
            """;

    private static final String TAKE_OVER =
            "UPDATE idempotency_key SET attempt = :attempt, lease_until = :until"
                    + ONE
                    + " AND state = 'running' AND lease_until <= :now";

    private static final String RENEW = "UPDATE idempotency_key SET lease_until = :until" + MINE;

    private static final String BEGIN =
            "UPDATE idempotency_key SET state = 'begun', request_hash = :hash" + MINE;

    private static final String ANSWER =
            """
            UPDATE idempotency_key SET state = 'answered', request_hash = :hash, answer = :answer
            """
                    + MINE;

    private static final String RELEASE = "DELETE FROM idempotency_key" + MINE;

    private static final String END_ALL_LEASES =
            "UPDATE idempotency_key SET lease_until = 0 WHERE state = 'running'";

    /** The keys of a person begin with their id, and those of a first owner with nothing. */
    private static final String FORGET =
            """
            DELETE FROM idempotency_key
             WHERE tenant_id = :tenant AND (key_hash LIKE :own OR (:first = 1 AND key_hash NOT LIKE '%:%'))
            """;

    private static final String SWEEP = "DELETE FROM idempotency_key WHERE expires_at <= :now";

    enum State {
        /** A request is being executed while the lease is valid. */
        RUNNING,
        /** The run with the id of the operation exists; repeated requests follow it. */
        BEGUN,
        ANSWERED;

        static State of(String name) {
            return switch (name) {
                case "running" -> RUNNING;
                case "begun" -> BEGUN;
                case "answered" -> ANSWERED;
                default -> throw new IllegalStateException("unknown state " + name);
            };
        }
    }

    /** The key of a row. */
    record KeyId(TenantId tenant, String keyHash) {}

    /** One execution. Only the newest one of a row may change it. */
    record Attempt(KeyId id, String value) {}

    record Row(
            String operationId,
            String attempt,
            State state,
            @Nullable String requestHash,
            @Nullable String answer,
            long leaseUntil,
            long expiresAt) {}

    @Override
    public int erasePerson(Transaction tx, TenantId tenant, UserId user) {
        return tx.update(FORGET)
                .bind("tenant", tenant.value())
                .bind("own", user.value() + ":%")
                .bind("first", user.equals(UserId.FIRST_OWNER) ? 1 : 0)
                .execute();
    }

    Optional<Row> find(Transaction tx, KeyId id) {
        return bind(tx.query(FIND), id).map((row, _) -> row(row)).findOne();
    }

    /** Whether this attempt has the row now: a new one, or one whose lease has ended. */
    boolean claim(Transaction tx, Attempt attempt, Row row, long now) {
        bind(tx.update(DROP_EXPIRED), attempt.id()).bind("now", now).execute();
        int inserted =
                bind(tx.update(INSERT), attempt)
                        .bind("operation", row.operationId())
                        .bind("hash", row.requestHash())
                        .bind("until", row.leaseUntil())
                        .bind("expires", row.expiresAt())
                        .execute();
        return inserted == 1
                || bind(tx.update(TAKE_OVER), attempt)
                                .bind("until", row.leaseUntil())
                                .bind("now", now)
                                .execute()
                        == 1;
    }

    void renew(Transaction tx, Collection<Attempt> attempts, long until) {
        try (PreparedBatch batch = tx.batch(RENEW)) {
            for (Attempt attempt : attempts) {
                bind(batch, attempt).bind("until", until).add();
            }
            batch.execute();
        }
    }

    void begin(Transaction tx, Attempt attempt, String requestHash) {
        bind(tx.update(BEGIN), attempt).bind("hash", requestHash).execute();
    }

    void answer(Transaction tx, Attempt attempt, String requestHash, String answer) {
        bind(tx.update(ANSWER), attempt).bind("hash", requestHash).bind("answer", answer).execute();
    }

    void release(Transaction tx, Attempt attempt) {
        bind(tx.update(RELEASE), attempt).execute();
    }

    /** For a server that is the only one on its database. */
    void endAllLeases(Transaction tx) {
        tx.update(END_ALL_LEASES).execute();
    }

    void sweep(Transaction tx, long now) {
        tx.update(SWEEP).bind("now", now).execute();
    }

    private static <S extends SqlStatement<S>> S bind(S statement, KeyId id) {
        return statement.bind("tenant", id.tenant().value()).bind("key", id.keyHash());
    }

    private static <S extends SqlStatement<S>> S bind(S statement, Attempt attempt) {
        return bind(statement, attempt.id()).bind("attempt", attempt.value());
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getString("operation_id"),
                row.getString("attempt"),
                State.of(row.getString("state")),
                row.getString("request_hash"),
                row.getString("answer"),
                row.getLong("lease_until"),
                row.getLong("expires_at"));
    }
}
