package dev.satchel.client.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A model that turns, agents and runs may name by its id. */
public record Model(
        String id,
        String provider,
        String name,
        @JsonProperty("default") boolean isDefault,
        @Nullable Integer contextTokens,
        JsonNode json)
        implements ServerObject {}
