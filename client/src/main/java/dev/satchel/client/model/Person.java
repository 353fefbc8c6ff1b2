package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A person of the tenant. */
public record Person(
        String id,
        String name,
        @Nullable String email,
        String role,
        Instant createdAt,
        JsonNode json)
        implements ServerObject {}
