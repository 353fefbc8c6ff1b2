package dev.satchel.server.access;

import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of API keys. Secrets are stored as hashes. */
final class ApiKeyStore {
    private static final String ADD =
            """
            INSERT INTO api_key (id, tenant_id, user_id, name, scopes, hash, created_at, expires_at, opened_by)
            VALUES (:id, :tenant, :user, :name, :scopes, :hash, :now, :expires, :openedBy)
            ON CONFLICT (hash) DO NOTHING
            """;

    private static final String UNREVOKE =
            "UPDATE api_key SET revoked_at = NULL WHERE hash = :hash AND tenant_id = :tenant";

    private static final String OTHERS_OF_NAME =
            """
            SELECT * FROM api_key
             WHERE tenant_id = :tenant AND name = :name AND hash <> :hash AND revoked_at IS NULL
            """;

    private static final String MADE_BY =
            "SELECT * FROM api_key WHERE opened_by = :openedBy AND revoked_at IS NULL";

    private static final String EXPIRY =
            "SELECT expires_at FROM api_key WHERE id = :id AND expires_at IS NOT NULL";

    /** Keys that a key has made come of what made that key. */
    private static final String KEEP_MADE_BY =
            """
            UPDATE api_key
               SET opened_by = (SELECT p.opened_by FROM api_key p WHERE p.id = :id)
             WHERE opened_by = :openedBy AND revoked_at IS NULL
            """;

    private static final String ACTIVE =
            "SELECT * FROM api_key WHERE tenant_id = :tenant AND revoked_at IS NULL";

    private static final String LIST = ACTIVE + " ORDER BY created_at, id";

    private static final String GET = ACTIVE + " AND id = :id";

    private static final String FIND =
            "SELECT c.id, c.tenant_id, c.user_id, c.scopes,"
                    + AccessStore.PERSON.formatted("api_key")
                    + " AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > :now)";

    private static final String REVOKE =
            """
            UPDATE api_key SET revoked_at = :now
             WHERE id = :id AND tenant_id = :tenant AND revoked_at IS NULL
            """;

    private static final String REVOKE_OF_USER =
            """
            UPDATE api_key SET revoked_at = :now
             WHERE tenant_id = :tenant AND user_id = :user AND revoked_at IS NULL
            """;

    /** Other keys with which an owner can reach everything for as long as they are not revoked. */
    private static final String OTHER_OWNER_KEYS =
            """
            SELECT k.*
              FROM api_key k JOIN app_user u ON u.tenant_id = k.tenant_id AND u.id = k.user_id
             WHERE k.tenant_id = :tenant AND k.id <> :id AND k.revoked_at IS NULL
               AND k.expires_at IS NULL AND k.scopes = :scopes
               AND u.role = 'owner' AND u.removed_at IS NULL
            """;

    private static final String SET_LAST_USE =
            "UPDATE api_key SET last_used_at = :at WHERE hash = :hash";

    /** Does nothing when the same key already exists. */
    void add(Transaction tx, ApiKey key, String hash, CallerCredential openedBy) {
        tx.update(ADD)
                .bind("id", key.id())
                .bind("tenant", key.tenant().value())
                .bind("user", key.user().value())
                .bind("name", key.name())
                .bind("scopes", Scope.format(key.scopes()))
                .bind("hash", hash)
                .bind("now", key.createdAt().toEpochMilli())
                .bind("expires", AccessStore.millis(key.expiresAt()))
                .bind("openedBy", openedBy.value())
                .execute();
    }

    void unrevoke(Transaction tx, TenantId tenant, String hash) {
        tx.update(UNREVOKE).bind("tenant", tenant.value()).bind("hash", hash).execute();
    }

    /** The keys with the name of a key, except that with a hash. */
    List<ApiKey> othersOfName(Transaction tx, ApiKey kept, String hash) {
        return tx.query(OTHERS_OF_NAME)
                .bind("tenant", kept.tenant().value())
                .bind("name", kept.name())
                .bind("hash", hash)
                .map((row, _) -> key(row))
                .list();
    }

    /** The keys that a credential has made. */
    List<ApiKey> madeBy(Transaction tx, CallerCredential credential) {
        return tx.query(MADE_BY)
                .bind("openedBy", credential.value())
                .map((row, _) -> key(row))
                .list();
    }

    /** Lets the keys that a key has made outlive it. */
    void keepMadeBy(Transaction tx, ApiKey key) {
        tx.update(KEEP_MADE_BY)
                .bind("id", key.id())
                .bind("openedBy", CallerCredential.key(key.id()).value())
                .execute();
    }

    /** When a key expires, if it does. */
    Optional<Instant> findExpiry(Transaction tx, String id) {
        return tx.query(EXPIRY)
                .bind("id", id)
                .mapTo(Long.class)
                .findOne()
                .map(Instant::ofEpochMilli);
    }

    /** The keys that are not revoked; some may have expired. */
    List<ApiKey> list(Transaction tx, TenantId tenant) {
        return tx.query(LIST).bind("tenant", tenant.value()).map((row, _) -> key(row)).list();
    }

    Optional<ApiKey> get(Transaction tx, TenantId tenant, String id) {
        return tx.query(GET)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> key(row))
                .findOne();
    }

    /** The caller whom a key identifies now. */
    Optional<Caller> findCaller(Transaction tx, String hash, Instant now) {
        return tx.query(FIND)
                .bind("hash", hash)
                .bind("now", now.toEpochMilli())
                .map((row, _) -> AccessStore.caller(row, CallerCredential.key(row.getString("id"))))
                .findOne();
    }

    /** False when the tenant has no such key, or it was revoked. */
    boolean revoke(Transaction tx, TenantId tenant, String id, Instant now) {
        return tx.update(REVOKE)
                        .bind("id", id)
                        .bind("tenant", tenant.value())
                        .bind("now", now.toEpochMilli())
                        .execute()
                == 1;
    }

    int revokeAll(Transaction tx, TenantId tenant, UserId user, Instant now) {
        return tx.update(REVOKE_OF_USER)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    /** The keys besides this one with which an owner can reach everything. */
    List<ApiKey> otherOwnerKeys(Transaction tx, ApiKey key) {
        return tx.query(OTHER_OWNER_KEYS)
                .bind("tenant", key.tenant().value())
                .bind("id", key.id())
                .bind("scopes", Scope.format(Scope.ALL))
                .map((row, _) -> key(row))
                .list();
    }

    void setLastUse(Transaction tx, String hash, Instant at) {
        tx.update(SET_LAST_USE).bind("hash", hash).bind("at", at.toEpochMilli()).execute();
    }

    private static ApiKey key(ResultSet row) throws SQLException {
        return new ApiKey(
                row.getString("id"),
                new TenantId(row.getString("tenant_id")),
                new UserId(row.getString("user_id")),
                row.getString("name"),
                Scope.parse(row.getString("scopes")),
                Instant.ofEpochMilli(row.getLong("created_at")),
                instant(row, "expires_at"),
                instant(row, "last_used_at"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
