package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One version of a skill. Its JSON also has the files and the instructions if it was read alone.
 *
 * @param createdAt null for a skill that comes with the server
 */
public record Skill(
        String name,
        String description,
        long version,
        boolean builtIn,
        int files,
        long bytes,
        String sha256,
        @Nullable Instant createdAt,
        JsonNode json)
        implements ServerObject {}
