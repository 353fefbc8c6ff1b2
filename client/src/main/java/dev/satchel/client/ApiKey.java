package dev.satchel.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A key to the API; its secret {@code key} is told once, by the call that makes it. */
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
