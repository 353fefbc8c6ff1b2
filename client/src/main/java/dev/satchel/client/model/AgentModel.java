package dev.satchel.client.model;

import org.jspecify.annotations.Nullable;

/** Which model an agent asks; what is absent is the runner's default. Keys are never part of it. */
public record AgentModel(
        @Nullable String provider, @Nullable String name, @Nullable String baseUrl) {}
