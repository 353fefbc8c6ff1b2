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
            INSERT INTO api_key (id, tenant_id, user_id, name, hash, created_at)
            VALUES (:id, :tenant, :user, :name, :hash, :now)
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
            SELECT id, tenant_id, user_id, name, created_at FROM api_key
             WHERE tenant_id = :tenant AND revoked_at IS NULL ORDER BY created_at, id
            """;

    /** The first owner is valid also before the row exists. */
    private static final String PERSON =
            """
                   COALESCE(u.role, 'owner') AS role
              FROM %1$s c LEFT JOIN app_user u ON u.tenant_id = c.tenant_id AND u.id = c.user_id
             WHERE c.hash = :hash AND u.removed_at IS NULL
               AND (u.id IS NOT NULL OR c.user_id = 'owner')
            """;

    private static final String FIND_KEY =
            "SELECT c.id, c.tenant_id, c.user_id, c.scopes,"
                    + PERSON.formatted("api_key")
                    + " AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > :now)";

    private static final String REVOKE_KEY =
            """
            UPDATE api_key SET revoked_at = :now
             WHERE id = :id AND tenant_id = :tenant AND revoked_at IS NULL
            """;

    private static final String ADD_LINK =
            """
            INSERT INTO login_link (hash, tenant_id, user_id, scopes, opened_by, expires_at)
            VALUES (:hash, :tenant, :user, :scopes, :openedBy, :expires)
            """;

    private static final String SPEND_LINK =
            """
            UPDATE login_link SET used_at = :now
             WHERE hash = :hash AND used_at IS NULL AND expires_at > :now
            """;

    private static final String FIND_LINK =
            "SELECT c.tenant_id, c.user_id, c.scopes, c.opened_by,"
                    + PERSON.formatted("login_link");

    private static final String ADD_SESSION =
            """
            INSERT INTO browser_session (hash, tenant_id, user_id, scopes, opened_by, created_at, expires_at)
            VALUES (:hash, :tenant, :user, :scopes, :openedBy, :now, :expires)
            """;

    private static final String SESSION =
            "SELECT c.tenant_id, c.user_id, c.scopes, c.hash, c.expires_at,"
                    + PERSON.formatted("browser_session")
                    + " AND c.expires_at > :now";

    private static final String EXTEND_SESSION =
            "UPDATE browser_session SET expires_at = :expires WHERE hash = :hash";

    private static final String END_SESSION = "DELETE FROM browser_session WHERE hash = :hash";

    private static final String DROP_OLD_SESSIONS =
            "DELETE FROM browser_session WHERE expires_at <= :now";

    private static final String DROP_OLD_LINKS = "DELETE FROM login_link WHERE expires_at <= :now";

    private static final String LOCK_TENANT =
            "UPDATE tenant SET created_at = created_at WHERE id = :id";

    /** How much of the hash of a session is its id. */
    private static final int SESSION_ID_LENGTH = 32;

    private final UserStore users = new UserStore();

    /** Who has a session and when it ends. */
    record Session(Caller caller, Instant expiresAt) {}

    /** Locks the tenant's row until the transaction ends. */
    public void lockTenant(Transaction tx, TenantId tenant) {
        tx.update(LOCK_TENANT).bind("id", tenant.value()).execute();
    }

    void ensureTenant(Transaction tx, TenantId tenant, Instant now) {
        tx.update(ADD_TENANT).bind("id", tenant.value()).bind("now", now.toEpochMilli()).execute();
        users.ensureFirstOwner(tx, tenant, now);
    }

    /** Does nothing when the same key already exists. */
    void addKey(Transaction tx, ApiKey key, String hash) {
        tx.update(ADD_KEY)
                .bind("id", key.id())
                .bind("tenant", key.tenant().value())
                .bind("user", key.user().value())
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

    Optional<Caller> findKeyOwner(Transaction tx, String hash, Instant now) {
        return tx.query(FIND_KEY)
                .bind("hash", hash)
                .bind("now", now.toEpochMilli())
                .map((row, _) -> caller(row, CallerCredential.key(row.getString("id"))))
                .findOne();
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

    /** A link that signs a caller in, with no more scopes than the caller has. */
    void addLink(Transaction tx, Caller caller, String hash, Instant expires) {
        tx.update(ADD_LINK)
                .bind("hash", hash)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("scopes", Scope.format(caller.scopes()))
                .bind("openedBy", caller.credential().value())
                .bind("expires", expires.toEpochMilli())
                .execute();
    }

    /**
     * Whom the link signs in, and the credential that made it, for exactly one of all requests that
     * use it.
     */
    Optional<Caller> spendLink(Transaction tx, String hash, Instant now) {
        int spent =
                tx.update(SPEND_LINK).bind("hash", hash).bind("now", now.toEpochMilli()).execute();
        if (spent == 0) {
            return Optional.empty();
        }
        return tx.query(FIND_LINK)
                .bind("hash", hash)
                .map((row, _) -> caller(row, new CallerCredential(row.getString("opened_by"))))
                .findOne();
    }

    /** The session ends with the credential of its caller. */
    void addSession(Transaction tx, String hash, Session session, Instant now) {
        Caller caller = session.caller();
        tx.update(ADD_SESSION)
                .bind("hash", hash)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("scopes", Scope.format(caller.scopes()))
                .bind("openedBy", caller.credential().value())
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
                new UserId(row.getString("user_id")),
                row.getString("name"),
                Instant.ofEpochMilli(row.getLong("created_at")));
    }

    private static Session session(ResultSet row) throws SQLException {
        String id = row.getString("hash").substring(0, SESSION_ID_LENGTH);
        return new Session(
                caller(row, CallerCredential.session(id)),
                Instant.ofEpochMilli(row.getLong("expires_at")));
    }

    private static Caller caller(ResultSet row, CallerCredential credential) throws SQLException {
        return new Caller(
                new TenantId(row.getString("tenant_id")),
                new UserId(row.getString("user_id")),
                UserRole.ofWord(row.getString("role")),
                Scope.parse(row.getString("scopes")),
                credential);
    }
}
