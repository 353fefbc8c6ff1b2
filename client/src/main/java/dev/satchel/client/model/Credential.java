package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A stored credential, without its value.
 *
 * @param kind {@code value} or {@code oauth}
 * @param problem why a person has to log in for an OAuth credential
 * @param expiresAt when the access of an OAuth credential ends, unless it is renewed
 * @param connectedAt when a person last logged in for an OAuth credential
 * @param agents the names of the agents that use it; null from an older server
 */
public record Credential(
        String name,
        String kind,
        @Nullable String problem,
        @Nullable Instant expiresAt,
        @Nullable Instant connectedAt,
        @Nullable List<String> agents,
        Instant createdAt,
        Instant updatedAt,
        JsonNode json)
        implements ServerObject {
    public boolean isOAuth() {
        return kind.equals("oauth");
    }

    /** The names of the agents that use it. */
    public List<String> users() {
        return agents == null ? List.of() : agents;
    }
}
