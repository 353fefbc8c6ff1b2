package dev.satchel.server.user;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Transaction;
import java.time.Instant;
import java.util.Optional;

/** Rows of hashed passwords. */
final class PasswordStore {
    private static final String SET =
            """
            INSERT INTO user_password (tenant_id, user_id, hash, changed_at)
            VALUES (:tenant, :user, :hash, :now)
            ON CONFLICT (tenant_id, user_id)
               DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at
            """;

    private static final String FIND =
            "SELECT hash, changed_at FROM user_password WHERE tenant_id = :tenant AND user_id ="
                    + " :user";

    private static final String REMOVE =
            "DELETE FROM user_password WHERE tenant_id = :tenant AND user_id = :user";

    /** A password as it is stored. */
    record Stored(String hash, Instant changedAt) {}

    void set(Transaction tx, TenantId tenant, UserId user, String hash, Instant now) {
        tx.update(SET)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("hash", hash)
                .bind("now", now.toEpochMilli())
                .execute();
    }

    Optional<Stored> find(Transaction tx, TenantId tenant, UserId user) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .map(
                        (row, _) ->
                                new Stored(
                                        row.getString("hash"),
                                        Instant.ofEpochMilli(row.getLong("changed_at"))))
                .findOne();
    }

    void remove(Transaction tx, TenantId tenant, UserId user) {
        tx.update(REMOVE).bind("tenant", tenant.value()).bind("user", user.value()).execute();
    }
}
