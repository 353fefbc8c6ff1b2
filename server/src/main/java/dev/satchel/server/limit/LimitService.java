package dev.satchel.server.limit;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Finds and changes the limits of tenants. A limit of 0 is none. */
public final class LimitService {
    private final Database database;
    private final LimitDefaults defaults;
    private final LimitStore store = new LimitStore();

    public LimitService(Database database, LimitDefaults defaults) {
        this.database = database;
        this.defaults = defaults;
    }

    public LimitDefaults defaults() {
        return defaults;
    }

    /** Every limit of a tenant, set or default. */
    public Map<LimitName, Long> of(TenantId tenant) {
        return database.read(tx -> of(tx, tenant));
    }

    /** A limit of a tenant in this moment; 0 is none. */
    public long of(Transaction tx, TenantId tenant, LimitName name) {
        return of(tx, tenant).getOrDefault(name, 0L);
    }

    private Map<LimitName, Long> of(Transaction tx, TenantId tenant) {
        Map<LimitName, Long> limits = new EnumMap<>(LimitName.class);
        for (LimitName name : LimitName.values()) {
            limits.put(name, defaults.ofTenant(name));
        }
        if (store.tenants(tx) == 1) { // there is nobody to share the places with
            limits.put(LimitName.RUNS, 0L);
        }
        limits.putAll(store.ofTenant(tx, tenant));
        return limits;
    }

    /** A limit of a user in this moment, beside that of the tenant; 0 is none. */
    public long of(Transaction tx, TenantId tenant, UserId user, LimitName name) {
        return of(tx, tenant, user).getOrDefault(name, 0L);
    }

    private Map<LimitName, Long> of(Transaction tx, TenantId tenant, UserId user) {
        Map<LimitName, Long> limits = new EnumMap<>(LimitName.class);
        for (LimitName name : LimitName.values()) {
            if (name.isOfUsers()) {
                limits.put(name, defaults.ofUser(name));
            }
        }
        if (store.tenants(tx) == 1 && store.users(tx, tenant) <= 1) {
            limits.put(LimitName.RUNS, 0L);
        }
        limits.putAll(store.ofUser(tx, tenant, user));
        return limits;
    }

    /** The limits of a user beside those of the tenant. */
    Map<LimitName, Long> of(TenantId tenant, UserId user) {
        return database.read(tx -> of(tx, tenant, user));
    }

    /** What counts for a caller, by the names on the wire. */
    public Map<String, Map<String, Long>> shown(TenantId tenant, UserId user) {
        Map<String, Map<String, Long>> shown = new LinkedHashMap<>();
        shown.put("workspace", LimitRoutes.named(of(tenant)));
        shown.put("user", LimitRoutes.named(of(tenant, user)));
        return shown;
    }

    /** The limits that the operator has set for a user. */
    Map<LimitName, Long> set(TenantId tenant, UserId user) {
        return database.read(tx -> store.ofUser(tx, tenant, user));
    }

    boolean exists(TenantId tenant, UserId user) {
        return database.read(tx -> store.exists(tx, tenant, user));
    }

    /** Replaces the limits that the operator has set for a user. */
    void replace(TenantId tenant, UserId user, Map<LimitName, Long> limits) {
        database.change(tx -> store.replaceOfUser(tx, tenant, user, limits));
    }

    /** The limits that the operator has set for a tenant. */
    Map<LimitName, Long> set(TenantId tenant) {
        return database.read(tx -> store.ofTenant(tx, tenant));
    }

    boolean exists(TenantId tenant) {
        return database.read(tx -> store.exists(tx, tenant));
    }

    /** Replaces the limits that the operator has set for a tenant. */
    void replace(TenantId tenant, Map<LimitName, Long> limits) {
        database.change(tx -> store.replaceOfTenant(tx, tenant, limits));
    }
}
