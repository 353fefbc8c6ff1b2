package dev.satchel.server.access;

import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of login links and browser sessions. Secrets are stored as hashes. */
final class LoginStore {
    /** How much of the hash of a session is its id. */
    private static final int SESSION_ID_LENGTH = 32;

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
                    + AccessStore.PERSON.formatted("login_link");

    private static final String FIND_UNUSED_LINK =
            FIND_LINK + " AND c.used_at IS NULL AND c.expires_at > :now";

    private static final String OPEN_INVITATIONS =
            """
            SELECT COUNT(*) FROM login_link
             WHERE tenant_id = :tenant AND user_id = :user AND used_at IS NULL AND expires_at > :now
               AND opened_by IN (:invitation, :reset)
            """;

    private static final String ADD_SESSION =
            """
            INSERT INTO browser_session (hash, tenant_id, user_id, scopes, opened_by, created_at, expires_at)
            VALUES (:hash, :tenant, :user, :scopes, :openedBy, :now, :expires)
            """;

    private static final String FIND_SESSION =
            "SELECT c.tenant_id, c.user_id, c.scopes, c.hash,"
                    + AccessStore.PERSON.formatted("browser_session")
                    + " AND c.expires_at > :now";

    private static final String LIST_SESSIONS =
            """
            SELECT * FROM browser_session
             WHERE tenant_id = :tenant AND expires_at > :now
               AND (user_id = :user OR CAST(:user AS TEXT) IS NULL)
             ORDER BY created_at, hash
            """;

    private static final String END_SESSION = "DELETE FROM browser_session WHERE hash = :hash";

    private static final String END_SESSION_OF_ID =
            """
            DELETE FROM browser_session
             WHERE tenant_id = :tenant AND substr(hash, 1, :length) = :id
               AND (user_id = :user OR CAST(:user AS TEXT) IS NULL)
            """;

    private static final String END_OTHER_SESSIONS =
            """
            DELETE FROM browser_session
             WHERE tenant_id = :tenant AND user_id = :user AND substr(hash, 1, :length) <> :id
            """;

    private static final String OPENING =
            """
            SELECT opened_by, created_at FROM browser_session
             WHERE tenant_id = :tenant AND substr(hash, 1, :length) = :id
            """;

    private static final String END_SESSIONS_OF_USER =
            "DELETE FROM browser_session WHERE tenant_id = :tenant AND user_id = :user";

    private static final String END_LINKS_OF_USER =
            "DELETE FROM login_link WHERE tenant_id = :tenant AND user_id = :user";

    private static final String END_SESSIONS_OF_CREDENTIAL =
            "DELETE FROM browser_session WHERE tenant_id = :tenant AND opened_by = :openedBy";

    private static final String END_LINKS_OF_CREDENTIAL =
            "DELETE FROM login_link WHERE tenant_id = :tenant AND opened_by = :openedBy";

    private static final String DROP_OLD_SESSIONS =
            "DELETE FROM browser_session WHERE expires_at <= :now";

    private static final String DROP_OLD_LINKS = "DELETE FROM login_link WHERE expires_at <= :now";

    private static final String SET_LAST_USE =
            "UPDATE browser_session SET last_used_at = :at WHERE hash = :hash";

    /** What opened a session, and when. */
    record Opening(CallerCredential by, Instant at) {}

    /**
     * A link that signs a caller in, with no more scopes than the caller has.
     *
     * @param openedBy what the sessions of the link end with
     */
    void addLink(
            Transaction tx,
            Caller caller,
            CallerCredential openedBy,
            String hash,
            Instant expires) {
        tx.update(ADD_LINK)
                .bind("hash", hash)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("scopes", Scope.format(caller.scopes()))
                .bind("openedBy", openedBy.value())
                .bind("expires", expires.toEpochMilli())
                .execute();
    }

    /** Whom a link that was not used would sign in. */
    Optional<Caller> findLink(Transaction tx, String hash, Instant now) {
        return tx.query(FIND_UNUSED_LINK)
                .bind("hash", hash)
                .bind("now", now.toEpochMilli())
                .map((row, _) -> callerOfLink(row))
                .findOne();
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
        return tx.query(FIND_LINK).bind("hash", hash).map((row, _) -> callerOfLink(row)).findOne();
    }

    /** Whether a person has a link of an owner that was not used. */
    boolean hasOpenInvitation(Transaction tx, TenantId tenant, UserId user, Instant now) {
        return tx.query(OPEN_INVITATIONS)
                        .bind("tenant", tenant.value())
                        .bind("user", user.value())
                        .bind("now", now.toEpochMilli())
                        .bind("invitation", CallerCredential.INVITATION.value())
                        .bind("reset", CallerCredential.RESET.value())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    private static Caller callerOfLink(ResultSet row) throws SQLException {
        return AccessStore.caller(row, new CallerCredential(row.getString("opened_by")));
    }

    /** The session ends with the credential of its caller. */
    void addSession(Transaction tx, Caller caller, String hash, Instant now, Instant expires) {
        tx.update(ADD_SESSION)
                .bind("hash", hash)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("scopes", Scope.format(caller.scopes()))
                .bind("openedBy", caller.credential().value())
                .bind("now", now.toEpochMilli())
                .bind("expires", expires.toEpochMilli())
                .execute();
    }

    Optional<Caller> findCaller(Transaction tx, String hash, Instant now) {
        return tx.query(FIND_SESSION)
                .bind("hash", hash)
                .bind("now", now.toEpochMilli())
                .map((row, _) -> AccessStore.caller(row, CallerCredential.session(sessionId(row))))
                .findOne();
    }

    Optional<Opening> findOpening(Transaction tx, TenantId tenant, String id) {
        return tx.query(OPENING)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .bind("length", SESSION_ID_LENGTH)
                .map(
                        (row, _) ->
                                new Opening(
                                        new CallerCredential(row.getString("opened_by")),
                                        Instant.ofEpochMilli(row.getLong("created_at"))))
                .findOne();
    }

    /** Ends the sessions of a person, except one. */
    void endOthers(Transaction tx, TenantId tenant, UserId user, String id) {
        tx.update(END_OTHER_SESSIONS)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("id", id)
                .bind("length", SESSION_ID_LENGTH)
                .execute();
    }

    /** The sessions of a person, or of a tenant if the person is null. */
    List<LoginSession> list(Transaction tx, TenantId tenant, @Nullable UserId user, Instant now) {
        return tx.query(LIST_SESSIONS)
                .bind("tenant", tenant.value())
                .bind("user", user == null ? null : user.value())
                .bind("now", now.toEpochMilli())
                .map((row, _) -> session(row))
                .list();
    }

    void endSession(Transaction tx, String hash) {
        tx.update(END_SESSION).bind("hash", hash).execute();
    }

    /** Ends a session of a person, or of a tenant if the person is null; false without one. */
    boolean endSession(Transaction tx, TenantId tenant, @Nullable UserId user, String id) {
        return tx.update(END_SESSION_OF_ID)
                        .bind("tenant", tenant.value())
                        .bind("user", user == null ? null : user.value())
                        .bind("id", id)
                        .bind("length", SESSION_ID_LENGTH)
                        .execute()
                > 0;
    }

    /** Ends the sessions and links that came of a credential. */
    void endAll(Transaction tx, TenantId tenant, CallerCredential credential) {
        for (String end : List.of(END_SESSIONS_OF_CREDENTIAL, END_LINKS_OF_CREDENTIAL)) {
            tx.update(end)
                    .bind("tenant", tenant.value())
                    .bind("openedBy", credential.value())
                    .execute();
        }
    }

    /** Ends the sessions and links of a person. */
    void endAll(Transaction tx, TenantId tenant, UserId user) {
        tx.update(END_SESSIONS_OF_USER)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .execute();
        endLinks(tx, tenant, user);
    }

    void endLinks(Transaction tx, TenantId tenant, UserId user) {
        tx.update(END_LINKS_OF_USER)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .execute();
    }

    void dropExpired(Transaction tx, Instant now) {
        tx.update(DROP_OLD_SESSIONS).bind("now", now.toEpochMilli()).execute();
        tx.update(DROP_OLD_LINKS).bind("now", now.toEpochMilli()).execute();
    }

    void setLastUse(Transaction tx, String hash, Instant at) {
        tx.update(SET_LAST_USE).bind("hash", hash).bind("at", at.toEpochMilli()).execute();
    }

    private static LoginSession session(ResultSet row) throws SQLException {
        long lastUse = row.getLong("last_used_at");
        Instant lastUsedAt = row.wasNull() ? null : Instant.ofEpochMilli(lastUse);
        return new LoginSession(
                sessionId(row),
                new UserId(row.getString("user_id")),
                new CallerCredential(row.getString("opened_by")),
                Instant.ofEpochMilli(row.getLong("created_at")),
                Instant.ofEpochMilli(row.getLong("expires_at")),
                lastUsedAt);
    }

    private static String sessionId(ResultSet row) throws SQLException {
        return row.getString("hash").substring(0, SESSION_ID_LENGTH);
    }
}
