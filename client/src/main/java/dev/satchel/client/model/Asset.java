package dev.satchel.client.model;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** A durable file of the tenant, saved on purpose. */
public record Asset(
        String id,
        String name,
        String mimeType,
        long size,
        String sha256,
        Instant createdAt,
        JsonNode json)
        implements ServerObject {}
