package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A chat that is shown to others.
 *
 * @param with {@code link}, {@code tenant} or {@code user}
 * @param userId the reader of a share with one person
 * @param until when it ends by itself; null for never
 * @param url the link, only when it is made
 */
public record Share(
        String id,
        String chatId,
        String with,
        @Nullable String userId,
        Instant createdAt,
        @Nullable Instant until,
        @Nullable String url,
        JsonNode json)
        implements ServerObject {}
