package dev.satchel.server.user;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Transaction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of whom a provider calls a person. */
final class UserIdentityStore {
    private static final String FIND =
            """
            SELECT user_id FROM user_identity
             WHERE tenant_id = :tenant AND identity_hash = :identity
            """;

    private static final String SET =
            """
            INSERT INTO user_identity (tenant_id, identity_hash, user_id, created_at)
            VALUES (:tenant, :identity, :user, :now)
            ON CONFLICT (tenant_id, identity_hash) DO UPDATE SET user_id = excluded.user_id
            """;

    private static final String REPLACE =
            "DELETE FROM user_identity WHERE tenant_id = :tenant AND user_id = :user";

    private static final String REMOVE =
            "UPDATE user_identity SET user_id = NULL WHERE tenant_id = :tenant AND user_id = :user";

    /**
     * An identity that has signed in before.
     *
     * @param user null for a removed person
     */
    record Stored(@Nullable UserId user) {}

    /** What is stored of an issuer and a subject, which together identify a person. */
    static String identity(String issuer, String subject) {
        try {
            byte[] text = (issuer + "\n" + subject).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Optional<Stored> find(Transaction tx, TenantId tenant, String identity) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("identity", identity)
                .map(
                        (row, _) -> {
                            String user = row.getString("user_id");
                            return new Stored(user == null ? null : new UserId(user));
                        })
                .findOne();
    }

    /** Makes it the one identity of a person. */
    void set(Transaction tx, TenantId tenant, UserId user, String identity, Instant now) {
        tx.update(REPLACE).bind("tenant", tenant.value()).bind("user", user.value()).execute();
        tx.update(SET)
                .bind("tenant", tenant.value())
                .bind("identity", identity)
                .bind("user", user.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    /** The identity stays, as one that was removed. */
    void remove(Transaction tx, TenantId tenant, UserId user) {
        tx.update(REMOVE).bind("tenant", tenant.value()).bind("user", user.value()).execute();
    }
}
