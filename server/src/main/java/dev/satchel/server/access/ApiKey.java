package dev.satchel.server.access;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An API key of a person, without its secret.
 *
 * @param expiresAt null for a key that does not expire
 * @param lastUsedAt null for a key that was not used yet
 */
public record ApiKey(
        String id,
        TenantId tenant,
        UserId user,
        String name,
        Set<Scope> scopes,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt) {
    public ApiKey {
        scopes = Set.copyOf(scopes);
    }
}
