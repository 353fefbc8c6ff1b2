package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Creates, lists, checks and revokes API keys. */
public final class ApiKeys {
    static final String PREFIX = "sk_satchel_";

    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");
    private static final String CONFIGURED_NAME = "SATCHEL_API_KEY";
    private static final String FIRST_NAME = "first key";

    private final Database database;
    private final AccessStore store;
    private final Clock clock;

    public ApiKeys(Database database, AccessStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    /** A new key with its secret, which is not stored. */
    public record NewKey(ApiKey key, CallerSecret secret) {}

    /** Creates a key of the first owner of a tenant, and the tenant when that is new. */
    public NewKey create(TenantId tenant, String name) {
        return create(tenant, UserId.FIRST_OWNER, name);
    }

    /** Creates a key of a person. */
    NewKey create(TenantId tenant, UserId user, String name) {
        NewKey created = new NewKey(describe(tenant, user, name), CallerSecret.random(PREFIX));
        database.change(
                tx -> {
                    store.ensureTenant(tx, tenant, created.key().createdAt());
                    store.addKey(tx, created.key(), created.secret().hash());
                });
        return created;
    }

    public List<ApiKey> list(TenantId tenant) {
        return database.read(tx -> store.keys(tx, tenant));
    }

    /** The same error for unknown keys and keys of other tenants. */
    public void revoke(TenantId tenant, String id) {
        if (!ID.matcher(id).matches()
                || !database.write(tx -> store.revokeKey(tx, tenant, id, clock.instant()))) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such API key");
        }
    }

    Optional<Caller> findOwner(CallerSecret key) {
        return database.read(tx -> store.findKeyOwner(tx, key.hash(), clock.instant()));
    }

    /** Accepts the key that the operator has configured, and revokes the one configured before. */
    public void acceptConfigured(CallerSecret key) {
        ApiKey described = describe(TenantId.DEFAULT, UserId.FIRST_OWNER, CONFIGURED_NAME);
        database.change(
                tx -> {
                    store.ensureTenant(tx, described.tenant(), described.createdAt());
                    store.addKey(tx, described, key.hash());
                    store.unrevokeKey(tx, described.tenant(), key.hash());
                    store.revokeOthersOfName(tx, described, key.hash());
                });
    }

    /** Adds the key of the data directory to a new database. */
    public void acceptFirst(CallerSecret key) {
        ApiKey described = describe(TenantId.DEFAULT, UserId.FIRST_OWNER, FIRST_NAME);
        database.change(
                tx -> {
                    store.ensureTenant(tx, described.tenant(), described.createdAt());
                    store.addKey(tx, described, key.hash());
                    // A key that was configured before is no longer valid.
                    ApiKey configured =
                            describe(TenantId.DEFAULT, UserId.FIRST_OWNER, CONFIGURED_NAME);
                    store.revokeOthersOfName(tx, configured, "");
                });
    }

    private ApiKey describe(TenantId tenant, UserId user, String name) {
        return new ApiKey(UUID.randomUUID().toString(), tenant, user, name, clock.instant());
    }
}
