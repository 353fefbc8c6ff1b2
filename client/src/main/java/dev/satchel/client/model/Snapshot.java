package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A workspace as it was at the end of a turn. */
public record Snapshot(
        String id, Instant createdAt, @Nullable String runId, long files, long bytes, JsonNode json)
        implements ServerObject {}
