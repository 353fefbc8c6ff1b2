package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Makes, lists, checks and revokes API keys. */
public final class ApiKeys {
    static final String PREFIX = "sk_satchel_";

    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");
    private static final String CONFIGURED_NAME = "SATCHEL_API_KEY";
    private static final String FIRST_NAME = "first key";

    private final Database database;
    private final AccessStore store = new AccessStore();
    private final Clock clock;

    public ApiKeys(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A key just made: the only moment at which its secret is known. */
    public record Made(ApiKey key, Credential secret) {}

    /** Makes a key, and its tenant when that is new. */
    public Made create(TenantId tenant, String name) {
        Made made = new Made(describe(tenant, name), Credential.fresh(PREFIX));
        database.change(
                tx -> {
                    store.ensureTenant(tx, tenant, made.key().createdAt());
                    store.addKey(tx, made.key(), made.secret().hash());
                });
        return made;
    }

    public List<ApiKey> list(TenantId tenant) {
        return database.read(tx -> store.keys(tx, tenant));
    }

    /** Another tenant's key is as unknown as one that never was. */
    public void revoke(TenantId tenant, String id) {
        if (!ID.matcher(id).matches()
                || !database.write(tx -> store.revokeKey(tx, tenant, id, clock.instant()))) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such API key");
        }
    }

    Optional<TenantId> findOwner(Credential key) {
        return database.read(tx -> store.findKeyOwner(tx, key.hash()));
    }

    /** Lets the operator's fixed key in, and shuts out the one that was fixed before. */
    public void acceptConfigured(Credential key) {
        ApiKey described = describe(TenantId.DEFAULT, CONFIGURED_NAME);
        database.change(
                tx -> {
                    store.ensureTenant(tx, described.tenant(), described.createdAt());
                    store.addKey(tx, described, key.hash());
                    store.reviveKey(tx, described.tenant(), key.hash());
                    store.revokeOthersOfName(tx, described, key.hash());
                });
    }

    /** Makes the key in the data folder known to a database that has not seen it. */
    public void acceptFirst(Credential key) {
        ApiKey described = describe(TenantId.DEFAULT, FIRST_NAME);
        database.change(
                tx -> {
                    store.ensureTenant(tx, described.tenant(), described.createdAt());
                    store.addKey(tx, described, key.hash());
                    // A key that was fixed before and is not any more opens nothing.
                    ApiKey configured = describe(TenantId.DEFAULT, CONFIGURED_NAME);
                    store.revokeOthersOfName(tx, configured, "");
                });
    }

    private ApiKey describe(TenantId tenant, String name) {
        return new ApiKey(UUID.randomUUID().toString(), tenant, name, clock.instant());
    }
}
