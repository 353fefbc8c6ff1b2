package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An API key; its secret {@code key} is returned once, by the call that creates it. */
public record ApiKey(
        String id,
        String name,
        String workspaceId,
        Instant createdAt,
        @Nullable String key,
        JsonNode json)
        implements ServerObject {
    @Override
    public String toString() { // a secret must not reach a log by accident
        return "ApiKey[id=" + id + ", name=" + name + ", workspaceId=" + workspaceId + "]";
    }
}
