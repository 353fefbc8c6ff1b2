package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A chat that another person shares with the caller.
 *
 * @param userId the person who shares
 * @param until when it ends by itself; null for never
 */
public record ReceivedShare(
        String id,
        @Nullable String title,
        String with,
        String userId,
        @Nullable String userName,
        Instant createdAt,
        @Nullable Instant until,
        JsonNode json)
        implements ServerObject {}
