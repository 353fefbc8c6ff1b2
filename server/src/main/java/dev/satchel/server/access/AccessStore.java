package dev.satchel.server.access;

import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of tenants, API keys, login links and browser sessions. Secrets are stored as hashes. */
public final class AccessStore {
    private static final String ADD_TENANT =
            "INSERT INTO tenant (id, created_at) VALUES (:id, :now) ON CONFLICT DO NOTHING";

    private static final String ADD_KEY =
            """
            INSERT INTO api_key (id, tenant_id, name, hash, created_at)
            VALUES (:id, :tenant, :name, :hash, :now)
            ON CONFLICT (hash) DO NOTHING
            """;

    private static final String UNREVOKE_KEY =
            "UPDATE api_key SET revoked_at = NULL WHERE hash = :hash AND tenant_id = :tenant";

    private static final String REVOKE_OTHERS_OF_NAME =
            """
            UPDATE api_key SET revoked_at = :now
             WHERE tenant_id = :tenant AND name = :name AND hash <> :hash AND revoked_at IS NULL
            """;

    private static final String KEYS =
            """
            SELECT id, tenant_id, name, created_at FROM api_key
             WHERE tenant_id = :tenant AND revoked_at IS NULL ORDER BY created_at, id
            """;

    private static final String KEY_OWNER =
            "SELECT tenant_id FROM api_key WHERE hash = :hash AND revoked_at IS NULL";

    private static final String REVOKE_KEY =
            """
            UPDATE api_key SET revoked_at = :now
             WHERE id = :id AND tenant_id = :tenant AND revoked_at IS NULL
            """;

    private static final String ADD_LINK =
            """
            INSERT INTO login_link (hash, tenant_id, expires_at) VALUES (:hash, :tenant, :expires)
            """;

    private static final String SPEND_LINK =
            """
            UPDATE login_link SET used_at = :now
             WHERE hash = :hash AND used_at IS NULL AND expires_at > :now
            """;

    private static final String LINK_OWNER = "SELECT tenant_id FROM login_link WHERE hash = :hash";

    private static final String ADD_SESSION =
            """
            INSERT INTO browser_session (hash, tenant_id, created_at, expires_at)
            VALUES (:hash, :tenant, :now, :expires)
            """;

    private static final String SESSION =
            """
            SELECT tenant_id, expires_at FROM browser_session
             WHERE hash = :hash AND expires_at > :now
            """;

    private static final String EXTEND_SESSION =
            "UPDATE browser_session SET expires_at = :expires WHERE hash = :hash";

    private static final String END_SESSION = "DELETE FROM browser_session WHERE hash = :hash";

    private static final String DROP_OLD_SESSIONS =
            "DELETE FROM browser_session WHERE expires_at <= :now";

    private static final String DROP_OLD_LINKS = "DELETE FROM login_link WHERE expires_at <= :now";

    private static final String LOCK_TENANT =
            "UPDATE tenant SET created_at = created_at WHERE id = :id";

    /** The tenant of a session and when it ends. */
    record Session(TenantId tenant, Instant expiresAt) {}

    /** Locks the tenant's row until the transaction ends. */
    public void lockTenant(Transaction tx, TenantId tenant) {
        tx.update(LOCK_TENANT).bind("id", tenant.value()).execute();
    }

    void ensureTenant(Transaction tx, TenantId tenant, Instant now) {
        tx.update(ADD_TENANT).bind("id", tenant.value()).bind("now", now.toEpochMilli()).execute();
    }

    /** Does nothing when the same key already exists. */
    void addKey(Transaction tx, ApiKey key, String hash) {
        tx.update(ADD_KEY)
                .bind("id", key.id())
                .bind("tenant", key.tenant().value())
                .bind("name", key.name())
                .bind("hash", hash)
                .bind("now", key.createdAt().toEpochMilli())
                .execute();
    }

    void unrevokeKey(Transaction tx, TenantId tenant, String hash) {
        tx.update(UNREVOKE_KEY).bind("tenant", tenant.value()).bind("hash", hash).execute();
    }

    void revokeOthersOfName(Transaction tx, ApiKey kept, String hash) {
        tx.update(REVOKE_OTHERS_OF_NAME)
                .bind("tenant", kept.tenant().value())
                .bind("name", kept.name())
                .bind("hash", hash)
                .bind("now", kept.createdAt().toEpochMilli())
                .execute();
    }

    List<ApiKey> keys(Transaction tx, TenantId tenant) {
        return tx.query(KEYS).bind("tenant", tenant.value()).map((row, _) -> apiKey(row)).list();
    }

    Optional<TenantId> findKeyOwner(Transaction tx, String hash) {
        return tx.query(KEY_OWNER)
                .bind("hash", hash)
                .mapTo(String.class)
                .findOne()
                .map(TenantId::new);
    }

    /** False when the tenant has no such key, or it was revoked. */
    boolean revokeKey(Transaction tx, TenantId tenant, String id, Instant now) {
        return tx.update(REVOKE_KEY)
                        .bind("id", id)
                        .bind("tenant", tenant.value())
                        .bind("now", now.toEpochMilli())
                        .execute()
                == 1;
    }

    void addLink(Transaction tx, TenantId tenant, String hash, Instant expires) {
        tx.update(ADD_LINK)
                .bind("hash", hash)
                .bind("tenant", tenant.value())
                .bind("expires", expires.toEpochMilli())
                .execute();
    }

    /** The tenant of the link, for exactly one of all requests that use it. */
    Optional<TenantId> spendLink(Transaction tx, String hash, Instant now) {
        int spent =
                tx.update(SPEND_LINK).bind("hash", hash).bind("now", now.toEpochMilli()).execute();
        if (spent == 0) {
            return Optional.empty();
        }
        return tx.query(LINK_OWNER)
                .bind("hash", hash)
                .mapTo(String.class)
                .findOne()
                .map(TenantId::new);
    }

    void addSession(Transaction tx, String hash, Session session, Instant now) {
        tx.update(ADD_SESSION)
                .bind("hash", hash)
                .bind("tenant", session.tenant().value())
                .bind("now", now.toEpochMilli())
                .bind("expires", session.expiresAt().toEpochMilli())
                .execute();
    }

    Optional<Session> findSession(Transaction tx, String hash, Instant now) {
        return tx.query(SESSION)
                .bind("hash", hash)
                .bind("now", now.toEpochMilli())
                .map((row, _) -> session(row))
                .findOne();
    }

    void extendSession(Transaction tx, String hash, Instant expires) {
        tx.update(EXTEND_SESSION)
                .bind("hash", hash)
                .bind("expires", expires.toEpochMilli())
                .execute();
    }

    void endSession(Transaction tx, String hash) {
        tx.update(END_SESSION).bind("hash", hash).execute();
    }

    void dropExpired(Transaction tx, Instant now) {
        tx.update(DROP_OLD_SESSIONS).bind("now", now.toEpochMilli()).execute();
        tx.update(DROP_OLD_LINKS).bind("now", now.toEpochMilli()).execute();
    }

    private static ApiKey apiKey(ResultSet row) throws SQLException {
        return new ApiKey(
                row.getString("id"),
                new TenantId(row.getString("tenant_id")),
                row.getString("name"),
                Instant.ofEpochMilli(row.getLong("created_at")));
    }

    private static Session session(ResultSet row) throws SQLException {
        return new Session(
                new TenantId(row.getString("tenant_id")),
                Instant.ofEpochMilli(row.getLong("expires_at")));
    }
}
