package dev.satchel.server.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A browser that is signed in.
 *
 * @param openedBy what opened it; it ends when that is revoked
 * @param lastUsedAt null if it was not used yet
 */
public record LoginSession(
        String id,
        UserId user,
        CallerCredential openedBy,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant lastUsedAt) {}
