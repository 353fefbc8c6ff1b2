package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A browser that is signed in. */
public record LoginSession(
        String id,
        String userId,
        String openedBy,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant lastUsedAt,
        JsonNode json)
        implements ServerObject {}
