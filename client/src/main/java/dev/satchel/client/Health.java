package dev.satchel.client;

import java.util.Map;

/** How the server is; each dependency by name is {@code up} or {@code down}. */
public record Health(
        String status, String version, long uptimeSeconds, Map<String, String> dependencies) {
    public Health {
        dependencies = Map.copyOf(dependencies);
    }
}
