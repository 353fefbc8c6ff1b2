package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Messages of a chat that follow each other, up to the next one that begins a branch.
 *
 * @param firstId the first of them
 * @param parentId the message that the first one follows; null for none
 * @param text the beginning of the first one
 * @param tipId the last of them
 * @param active whether the chat goes on from here, or from a branch that begins here
 */
public record Branch(
        String firstId,
        @Nullable String parentId,
        String role,
        String text,
        Instant createdAt,
        String tipId,
        long messages,
        boolean active,
        JsonNode json)
        implements ServerObject {}
