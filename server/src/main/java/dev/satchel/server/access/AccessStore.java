package dev.satchel.server.access;

import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of tenants, and the stores of their people and of what these identify themselves with. */
public final class AccessStore {
    private static final String ADD_TENANT =
            "INSERT INTO tenant (id, created_at) VALUES (:id, :now) ON CONFLICT DO NOTHING";

    private static final String TENANT_EXISTS = "SELECT COUNT(*) FROM tenant WHERE id = :id";

    private static final String OTHER_TENANTS = "SELECT COUNT(*) FROM tenant WHERE id <> :id";

    private static final String LOCK_TENANT =
            "UPDATE tenant SET created_at = created_at WHERE id = :id";

    /**
     * The person of a credential with a hash, unless removed. The first owner is valid also before
     * the row exists.
     */
    static final String PERSON =
            """
                   COALESCE(u.role, 'owner') AS role
              FROM %1$s c LEFT JOIN app_user u ON u.tenant_id = c.tenant_id AND u.id = c.user_id
             WHERE c.hash = :hash AND u.removed_at IS NULL
               AND (u.id IS NOT NULL OR c.user_id = 'owner')
            """;

    /**
     * Where the rights of a caller come from.
     *
     * @param openedBy what opened the session, or the credential itself if it is no session
     * @param since when the session began; the past for a key
     * @param expiresAt when the key expires of which the rights came; null without such an end
     */
    public record Origin(CallerCredential openedBy, Instant since, @Nullable Instant expiresAt) {}

    private final UserStore users = new UserStore();
    private final ApiKeyStore keys = new ApiKeyStore();
    private final LoginStore logins = new LoginStore();

    /** Locks the tenant's row until the transaction ends. */
    public void lockTenant(Transaction tx, TenantId tenant) {
        tx.update(LOCK_TENANT).bind("id", tenant.value()).execute();
    }

    /** Creates a tenant with its first owner, unless it exists. */
    void ensureTenant(Transaction tx, TenantId tenant, Instant now) {
        tx.update(ADD_TENANT).bind("id", tenant.value()).bind("now", now.toEpochMilli()).execute();
        users.ensureFirstOwner(tx, tenant, now);
    }

    boolean hasTenant(Transaction tx, TenantId tenant) {
        return tx.query(TENANT_EXISTS).bind("id", tenant.value()).mapTo(Long.class).one() > 0;
    }

    /** Whether there are tenants besides this one. */
    boolean hasOtherTenants(Transaction tx, TenantId tenant) {
        return tx.query(OTHER_TENANTS).bind("id", tenant.value()).mapTo(Long.class).one() > 0;
    }

    ApiKeyStore keys() {
        return keys;
    }

    LoginStore logins() {
        return logins;
    }

    public UserStore users() {
        return users;
    }

    /** Ends the links of a person that were not used. */
    public void endLinks(Transaction tx, TenantId tenant, UserId user) {
        logins.endLinks(tx, tenant, user);
    }

    /** Whether an owner has made a link for a person that was not used and has not expired. */
    public boolean hasOpenInvitation(Transaction tx, User user, Instant now) {
        return logins.hasOpenInvitation(tx, user.tenant(), user.id(), now);
    }

    /** Where the rights of a caller come from. */
    public Origin origin(Transaction tx, Caller caller) {
        LoginStore.Opening opening =
                caller.credential()
                        .sessionId()
                        .flatMap(id -> logins.findOpening(tx, caller.tenant(), id))
                        .orElse(new LoginStore.Opening(caller.credential(), Instant.EPOCH));
        return new Origin(opening.by(), opening.at(), keyExpiry(tx, opening.by()).orElse(null));
    }

    /** When what a credential has opened ends with it, if it is a key that expires. */
    Optional<Instant> keyExpiry(Transaction tx, CallerCredential credential) {
        return credential.keyId().flatMap(id -> keys.findExpiry(tx, id));
    }

    /** Ends a key and all that came of it; returns the keys that have ended, itself first. */
    List<ApiKey> revoke(Transaction tx, ApiKey key, Instant now) {
        boolean _ = keys.revoke(tx, key.tenant(), key.id(), now);
        CallerCredential credential = CallerCredential.key(key.id());
        logins.endAll(tx, key.tenant(), credential);
        List<ApiKey> ended = new ArrayList<>(List.of(key));
        keys.madeBy(tx, credential).forEach(made -> ended.addAll(revoke(tx, made, now)));
        return ended;
    }

    /** Ends the links of a person, and the sessions except that of the caller. */
    public void endOthers(Transaction tx, Caller caller) {
        logins.endOthers(
                tx, caller.tenant(), caller.user(), caller.credential().sessionId().orElse(""));
        endLinks(tx, caller.tenant(), caller.user());
    }

    /** Ends everything with which a person can identify themselves. */
    public void remove(Transaction tx, User user, Instant now) {
        users.remove(tx, user.tenant(), user.id(), now);
        int _ = keys.revokeAll(tx, user.tenant(), user.id(), now);
        logins.endAll(tx, user.tenant(), user.id());
    }

    static Caller caller(ResultSet row, CallerCredential credential) throws SQLException {
        return new Caller(
                new TenantId(row.getString("tenant_id")),
                new UserId(row.getString("user_id")),
                UserRole.ofWord(row.getString("role")),
                Scope.parse(row.getString("scopes")),
                credential);
    }

    static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }
}
