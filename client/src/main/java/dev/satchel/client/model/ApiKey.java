package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An API key; its secret {@code key} is returned once, by the call that creates it. */
public record ApiKey(
        String id,
        String name,
        String workspaceId,
        @Nullable String userId,
        @Nullable List<String> scopes,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt,
        @Nullable String key,
        JsonNode json)
        implements ServerObject {
    public ApiKey {
        scopes = scopes == null ? null : List.copyOf(scopes);
    }

    @Override
    public String toString() { // a secret must not reach a log by accident
        return "ApiKey[id=" + id + ", name=" + name + ", workspaceId=" + workspaceId + "]";
    }
}
