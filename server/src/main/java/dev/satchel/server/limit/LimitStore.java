package dev.satchel.server.limit;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserStore.PersonData;
import dev.satchel.server.database.Transaction;
import java.util.EnumMap;
import java.util.Map;

/** Rows of limits that the operator has set. */
public final class LimitStore implements PersonData {
    /** The limits of a tenant have no user. */
    private static final String TENANT = "";

    private static final String READ =
            "SELECT name, value FROM usage_limit WHERE tenant_id = :tenant AND user_id = :user";

    private static final String DELETE =
            "DELETE FROM usage_limit WHERE tenant_id = :tenant AND user_id = :user";

    private static final String INSERT =
            """
            INSERT INTO usage_limit (tenant_id, user_id, name, value)
            VALUES (:tenant, :user, :name, :value)
            """;

    private static final String TENANTS = "SELECT COUNT(*) FROM tenant";

    private static final String USERS =
            "SELECT COUNT(*) FROM app_user WHERE tenant_id = :tenant AND removed_at IS NULL";

    private static final String USER_EXISTS =
            "SELECT COUNT(*) FROM app_user WHERE tenant_id = :tenant AND id = :user";

    private static final String TENANT_EXISTS = "SELECT COUNT(*) FROM tenant WHERE id = :tenant";

    Map<LimitName, Long> ofTenant(Transaction tx, TenantId tenant) {
        return read(tx, tenant, TENANT);
    }

    Map<LimitName, Long> ofUser(Transaction tx, TenantId tenant, UserId user) {
        return read(tx, tenant, user.value());
    }

    /** Replaces the limits of a tenant. */
    void replaceOfTenant(Transaction tx, TenantId tenant, Map<LimitName, Long> limits) {
        replace(tx, tenant, TENANT, limits);
    }

    /** Replaces the limits of a user. */
    void replaceOfUser(Transaction tx, TenantId tenant, UserId user, Map<LimitName, Long> limits) {
        replace(tx, tenant, user.value(), limits);
    }

    long tenants(Transaction tx) {
        return tx.query(TENANTS).mapTo(Long.class).one();
    }

    long users(Transaction tx, TenantId tenant) {
        return tx.query(USERS).bind("tenant", tenant.value()).mapTo(Long.class).one();
    }

    boolean exists(Transaction tx, TenantId tenant) {
        return tx.query(TENANT_EXISTS).bind("tenant", tenant.value()).mapTo(Long.class).one() > 0;
    }

    boolean exists(Transaction tx, TenantId tenant, UserId user) {
        return tx.query(USER_EXISTS)
                        .bind("tenant", tenant.value())
                        .bind("user", user.value())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    @Override
    public int erasePerson(Transaction tx, TenantId tenant, UserId user) {
        return tx.update(DELETE)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .execute();
    }

    private static Map<LimitName, Long> read(Transaction tx, TenantId tenant, String user) {
        Map<LimitName, Long> limits = new EnumMap<>(LimitName.class);
        tx.query(READ)
                .bind("tenant", tenant.value())
                .bind("user", user)
                .map((row, _) -> Map.entry(row.getString("name"), row.getLong("value")))
                .forEach(
                        row ->
                                LimitName.find(row.getKey())
                                        .ifPresent(name -> limits.put(name, row.getValue())));
        return limits;
    }

    private static void replace(
            Transaction tx, TenantId tenant, String user, Map<LimitName, Long> limits) {
        tx.update(DELETE).bind("tenant", tenant.value()).bind("user", user).execute();
        limits.forEach(
                (name, value) ->
                        tx.update(INSERT)
                                .bind("tenant", tenant.value())
                                .bind("user", user)
                                .bind("name", name.wireName())
                                .bind("value", value)
                                .execute());
    }
}
