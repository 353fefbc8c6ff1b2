package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
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
            "no control group limits the runs of this server, so one tenant could take the memory"
                    + " and the processors of all. Let the server create control groups"
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

        /** Ends with the credential that makes the key, unless it ends before. */
        KeySettings within(@Nullable Instant end) {
            Instant expires = expiresAt;
            if (end == null) {
                return this;
            }
            if (expires != null && expires.isAfter(end)) {
                throw Fields.invalid("expiresAt", "is later than the end of the key that asks");
            }
            return new KeySettings(name, scopes, expires == null ? end : expires);
        }
    }

    /**
     * How a key is revoked.
     *
     * @param isForced also if it is the last key with which an owner can reach everything
     * @param keepsMade keys that it has made go on
     */
    public record Revocation(boolean isForced, boolean keepsMade) {}

    /** Creates a key of the first owner of a tenant, and the tenant when that is new. */
    public NewKey create(TenantId tenant, String name) {
        KeySettings settings = KeySettings.unrestricted(name);
        return database.write(
                tx -> create(tx, tenant, UserId.FIRST_OWNER, settings, CallerCredential.SERVER));
    }

    /**
     * Creates a key of a caller, which has no scope that the caller lacks and ends with what the
     * rights of the caller come from; or the first key of another tenant, and that tenant.
     */
    public NewKey create(Transaction tx, Caller caller, TenantId tenant, KeySettings wanted) {
        AccessStore.Origin origin = store.origin(tx, caller);
        KeySettings settings = wanted.within(origin.expiresAt());
        return tenant.equals(caller.tenant())
                ? create(tx, tenant, caller.user(), settings, origin.openedBy())
                : create(tx, tenant, UserId.FIRST_OWNER, settings, CallerCredential.SERVER);
    }

    private NewKey create(
            Transaction tx,
            TenantId tenant,
            UserId user,
            KeySettings settings,
            CallerCredential openedBy) {
        if (!store.hasTenant(tx, tenant)
                && store.hasOtherTenants(tx, tenant)
                && forOneTenant.getAsBoolean()) {
            throw new SatchelException(ErrorCode.CONFLICT, ONE_TENANT);
        }
        NewKey created = new NewKey(describe(tenant, user, settings), CallerSecret.random(PREFIX));
        store.ensureTenant(tx, tenant, created.key().createdAt());
        store.keys().add(tx, created.key(), created.secret().hash(), openedBy);
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
     * @param how also the last owner's key, and without the keys that it has made
     * @return the keys that have ended, this one first
     */
    public List<ApiKey> revoke(Transaction tx, Caller caller, String id, Revocation how) {
        store.lockTenant(tx, caller.tenant());
        ApiKey key = find(tx, caller, id);
        List<ApiKey> others = isOwnerKey(tx, key) ? store.keys().otherOwnerKeys(tx, key) : null;
        if (how.keepsMade()) {
            store.keys().keepMadeBy(tx, key);
        }
        List<ApiKey> ended = store.revoke(tx, key, clock.instant());
        if (!how.isForced() && others != null && ended.containsAll(others)) {
            throw new SatchelException(
                    ErrorCode.CONFLICT,
                    "no key of an owner that reaches everything and does not expire would be left:"
                            + " keys that this one has made end with it. Create another one first,"
                            + " keep those, or force it.");
        }
        return ended;
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
                    store.keys().add(tx, described, key.hash(), CallerCredential.SERVER);
                    store.keys().unrevoke(tx, described.tenant(), key.hash());
                    revokeOthers(tx, described, key.hash());
                });
    }

    /** Adds the key of the data directory to a new database. */
    public void acceptFirst(CallerSecret key) {
        ApiKey described = describe(FIRST_NAME);
        database.change(
                tx -> {
                    store.ensureTenant(tx, described.tenant(), described.createdAt());
                    store.keys().add(tx, described, key.hash(), CallerCredential.SERVER);
                    // A key that was configured before is no longer valid.
                    revokeOthers(tx, describe(CONFIGURED_NAME), "");
                });
    }

    private void revokeOthers(Transaction tx, ApiKey kept, String hash) {
        for (ApiKey other : store.keys().othersOfName(tx, kept, hash)) {
            List<ApiKey> _ = store.revoke(tx, other, clock.instant());
        }
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
