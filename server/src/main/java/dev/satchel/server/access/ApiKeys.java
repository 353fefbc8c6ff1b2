package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates, lists, checks and revokes API keys. */
public final class ApiKeys {
    public static final String PREFIX = "sk_satchel_";

    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");
    private static final String CONFIGURED_NAME = "SATCHEL_API_KEY";
    private static final String ONE_TENANT =
            "no control group limits the runs of this server, so one tenant could take the memory and"
                    + " the processors of all. Let the server create control groups"
                    + " (docs/guides/operate.md), or accept this for several tenants with"
                    + " SATCHEL_TENANTS_WITHOUT_CONTROL_GROUPS=true";
    private static final String FIRST_NAME = "first key";

    private final Database database;
    private final AccessStore store;
    private final Clock clock;
    private final BooleanSupplier forOneTenant;

    public ApiKeys(Database database, AccessStore store, Clock clock) {
        this(database, store, clock, () -> false);
    }

    /**
     * @param forOneTenant whether a second tenant is refused, because it could not be protected
     *     from the first
     */
    public ApiKeys(
            Database database, AccessStore store, Clock clock, BooleanSupplier forOneTenant) {
        this.database = database;
        this.store = store;
        this.clock = clock;
        this.forOneTenant = forOneTenant;
    }

    /** A new key with its secret, which is not stored. */
    public record NewKey(ApiKey key, CallerSecret secret) {}

    /** What a key is created with; it does not expire if {@code expiresAt} is null. */
    public record KeySettings(String name, Set<Scope> scopes, @Nullable Instant expiresAt) {
        public KeySettings {
            scopes = Set.copyOf(scopes);
        }

        static KeySettings unrestricted(String name) {
            return new KeySettings(name, Scope.ALL, null);
        }
    }

    /** Creates a key of the first owner of a tenant, and the tenant when that is new. */
    public NewKey create(TenantId tenant, String name) {
        KeySettings settings = KeySettings.unrestricted(name);
        return database.write(tx -> create(tx, tenant, UserId.FIRST_OWNER, settings));
    }

    /** Creates a key of a person, and the tenant when that is new. */
    public NewKey create(Transaction tx, TenantId tenant, UserId user, KeySettings settings) {
        if (!store.hasTenant(tx, tenant)
                && store.hasOtherTenants(tx, tenant)
                && forOneTenant.getAsBoolean()) {
            throw new SatchelException(ErrorCode.CONFLICT, ONE_TENANT);
        }
        NewKey created = new NewKey(describe(tenant, user, settings), CallerSecret.random(PREFIX));
        store.ensureTenant(tx, tenant, created.key().createdAt());
        store.keys().add(tx, created.key(), created.secret().hash());
        return created;
    }

    /** Why this server must not start; empty when all tenants of its database may use it. */
    public Optional<String> sharingProblem() {
        boolean isShared = database.read(tx -> store.hasOtherTenants(tx, TenantId.DEFAULT));
        return isShared && forOneTenant.getAsBoolean() ? Optional.of(ONE_TENANT) : Optional.empty();
    }

    /** Those of the whole tenant for an owner, else the caller's own. */
    public List<ApiKey> list(Caller caller) {
        return database.read(tx -> store.keys().list(tx, caller.tenant())).stream()
                .filter(key -> mayManage(caller, key))
                .toList();
    }

    /**
     * Ends a key and all that came of it. The same error for unknown keys and keys of others.
     *
     * @param force also the last key with which an owner can reach everything
     */
    public ApiKey revoke(Transaction tx, Caller caller, String id, boolean force) {
        store.lockTenant(tx, caller.tenant());
        ApiKey key = find(tx, caller, id);
        if (!force && isOwnerKey(tx, key) && !store.keys().hasOtherOwnerKey(tx, key)) {
            throw new SatchelException(
                    ErrorCode.CONFLICT,
                    "this is the last key of an owner that reaches everything and does not expire."
                            + " Create another one first, or force it.");
        }
        boolean _ = store.keys().revoke(tx, caller.tenant(), id, clock.instant());
        store.logins().endAll(tx, caller.tenant(), CallerCredential.key(id));
        return key;
    }

    private ApiKey find(Transaction tx, Caller caller, String id) {
        return Optional.of(id)
                .filter(it -> ID.matcher(it).matches())
                .flatMap(it -> store.keys().get(tx, caller.tenant(), it))
                .filter(key -> mayManage(caller, key))
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "no such API key"));
    }

    private static boolean mayManage(Caller caller, ApiKey key) {
        return caller.role() == UserRole.OWNER || caller.user().equals(key.user());
    }

    private boolean isOwnerKey(Transaction tx, ApiKey key) {
        return key.scopes().equals(Scope.ALL)
                && key.expiresAt() == null
                && store.users()
                        .find(tx, key.tenant(), key.user())
                        .map(user -> user.role() == UserRole.OWNER)
                        .orElse(key.user().equals(UserId.FIRST_OWNER));
    }

    Optional<Caller> findCaller(CallerSecret key) {
        return database.read(tx -> store.keys().findCaller(tx, key.hash(), clock.instant()));
    }

    /** Accepts the key that the operator has configured, and revokes the one configured before. */
    public void acceptConfigured(CallerSecret key) {
        ApiKey described = describe(CONFIGURED_NAME);
        database.change(
                tx -> {
                    store.ensureTenant(tx, described.tenant(), described.createdAt());
                    store.keys().add(tx, described, key.hash());
                    store.keys().unrevoke(tx, described.tenant(), key.hash());
                    store.keys().revokeOthersOfName(tx, described, key.hash());
                });
    }

    /** Adds the key of the data directory to a new database. */
    public void acceptFirst(CallerSecret key) {
        ApiKey described = describe(FIRST_NAME);
        database.change(
                tx -> {
                    store.ensureTenant(tx, described.tenant(), described.createdAt());
                    store.keys().add(tx, described, key.hash());
                    // A key that was configured before is no longer valid.
                    store.keys().revokeOthersOfName(tx, describe(CONFIGURED_NAME), "");
                });
    }

    private ApiKey describe(String name) {
        return describe(TenantId.DEFAULT, UserId.FIRST_OWNER, KeySettings.unrestricted(name));
    }

    private ApiKey describe(TenantId tenant, UserId user, KeySettings settings) {
        return new ApiKey(
                UUID.randomUUID().toString(),
                tenant,
                user,
                settings.name(),
                settings.scopes(),
                clock.instant(),
                settings.expiresAt(),
                null);
    }
}
