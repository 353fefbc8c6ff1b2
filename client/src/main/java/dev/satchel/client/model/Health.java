package dev.satchel.client.model;

import java.util.Map;

/** The health of the server; each dependency is {@code up} or {@code down}. */
public record Health(
        String status, String version, long uptimeSeconds, Map<String, String> dependencies) {
    public Health {
        dependencies = Map.copyOf(dependencies);
    }
}
