package dev.satchel.client.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How a file differs from one snapshot to another.
 *
 * @param status {@code added}, {@code removed}, {@code changed} or {@code unchanged}
 * @param diff the hunks of a unified diff; null if a version is {@code binary} or {@code tooLarge}
 */
public record FileDifference(
        String from,
        String to,
        String path,
        String status,
        boolean binary,
        boolean tooLarge,
        @Nullable String diff,
        JsonNode json)
        implements ServerObject {}
