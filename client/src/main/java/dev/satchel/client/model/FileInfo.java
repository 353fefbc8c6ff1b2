package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A file of a chat or a run; where it only stands beside a message, the last three are absent. */
public record FileInfo(
        String id,
        String name,
        String mimeType,
        long size,
        String sha256,
        @Nullable String source,
        @Nullable String messageId,
        @Nullable Instant createdAt,
        JsonNode json)
        implements ServerObject {}
