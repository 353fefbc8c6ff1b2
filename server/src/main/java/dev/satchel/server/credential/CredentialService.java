package dev.satchel.server.credential;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credentials of a tenant. Callers store and delete them; only runs get their values. */
public final class CredentialService {
    private final Database database;
    private final CredentialStore store;
    private final SealingKeys keys;
    private final OAuthConnections connections;
    private final Clock clock;

    public CredentialService(
            Database database,
            CredentialStore store,
            SealingKeys keys,
            OAuthConnections connections,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.keys = keys;
        this.connections = connections;
        this.clock = clock;
    }

    List<StoredCredential> list(Caller caller) {
        return database.read(tx -> store.list(tx, caller.tenant()));
    }

    StoredCredential create(Caller caller, CredentialName name, String value) {
        return insert(sealed(caller.tenant(), name, value, clock.millis()));
    }

    /** Without tokens: a person connects it. */
    StoredCredential create(Caller caller, CredentialName name, OAuthSettings settings)
            throws InterruptedException {
        return insert(connections.prepare(caller, name, settings));
    }

    private StoredCredential insert(StoredCredential credential) {
        if (!database.write(tx -> store.insert(tx, credential))) {
            throw new SatchelException(
                    ErrorCode.CONFLICT,
                    "name is taken: there is a credential called " + credential.name().value());
        }
        return credential;
    }

    /** The address at which a person logs in for an OAuth credential. */
    String authorizationUrl(Caller caller, CredentialName name, @Nullable String redirectUri)
            throws InterruptedException {
        StoredCredential credential = find(caller.tenant(), name);
        if (credential.kind() != StoredCredential.Kind.OAUTH) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, name.value() + " has a value and needs no login");
        }
        return connections.authorizationUrl(credential, redirectUri);
    }

    StoredCredential finish(Caller caller, String state, String code) throws InterruptedException {
        return connections.finish(caller, state, code);
    }

    /** Runs that have started use the new value from then on. */
    StoredCredential replace(Caller caller, CredentialName name, String value) {
        return database.write(
                tx -> {
                    StoredCredential before =
                            store.find(tx, caller.tenant(), name)
                                    .orElseThrow(() -> noSuchCredential(name));
                    StoredCredential after =
                            sealed(caller.tenant(), name, value, before.createdAt());
                    store.update(tx, after);
                    return after;
                });
    }

    void delete(Caller caller, CredentialName name) {
        if (!database.write(tx -> store.delete(tx, caller.tenant(), name))) {
            throw noSuchCredential(name);
        }
    }

    /** The value for a run. The caller checks that the run may have it. */
    public CredentialValue value(TenantId tenant, CredentialName name) throws InterruptedException {
        StoredCredential credential = find(tenant, name);
        return switch (credential.kind()) {
            case VALUE ->
                    new CredentialValue(keys.open(credential.sealed(), credential.context()), null);
            case OAUTH -> connections.value(credential);
        };
    }

    private StoredCredential find(TenantId tenant, CredentialName name) {
        return database.read(tx -> store.find(tx, tenant, name))
                .orElseThrow(() -> noSuchCredential(name));
    }

    private StoredCredential sealed(
            TenantId tenant, CredentialName name, String value, long createdAt) {
        StoredCredential.Kind kind = StoredCredential.Kind.VALUE;
        String context = StoredCredential.context(tenant, name, kind);
        return new StoredCredential(
                tenant,
                name,
                kind,
                keys.seal(value, context),
                null,
                null,
                null,
                createdAt,
                clock.millis());
    }

    static SatchelException noSuchCredential(CredentialName name) {
        return new SatchelException(
                ErrorCode.NOT_FOUND, "no such credential: there is none called " + name.value());
    }
}
