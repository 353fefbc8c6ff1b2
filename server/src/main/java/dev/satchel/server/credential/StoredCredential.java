package dev.satchel.server.credential;

import dev.satchel.server.access.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * A row of a credential.
 *
 * @param expiresAt when the access token of an OAuth credential ends, if the service says it
 * @param connectedAt when a person last logged in for an OAuth credential
 * @param problem why an OAuth credential has to be connected again, in words for a person
 */
record StoredCredential(
        TenantId tenant,
        CredentialName name,
        Kind kind,
        SealingKeys.Sealed sealed,
        @Nullable Long expiresAt,
        @Nullable Long connectedAt,
        @Nullable String problem,
        long createdAt,
        long updatedAt) {

    enum Kind {
        VALUE,
        OAUTH
    }

    /** What the sealed text belongs to: moved to another row it cannot be opened. */
    static String context(TenantId tenant, CredentialName name, Kind kind) {
        return tenant.value() + "/" + name.value() + "/" + kind;
    }

    String context() {
        return context(tenant, name, kind);
    }
}
