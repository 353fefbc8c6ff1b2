package dev.satchel.client.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which model an agent asks: one of the server by its {@code id}, or a description in which an
 * absent value is the default. Keys are never part of it.
 */
public record AgentModel(
        @Nullable String id,
        @Nullable String provider,
        @Nullable String name,
        @Nullable String baseUrl) {

    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    public AgentModel(
            @JsonProperty("provider") @Nullable String provider,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("baseUrl") @Nullable String baseUrl) {
        this(null, provider, name, baseUrl);
    }

    /** A model of the server, which is sent as a text. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static AgentModel ofServer(String id) {
        return new AgentModel(id, null, null, null);
    }

    @JsonValue
    Object json() {
        if (id != null) {
            return id;
        }
        Map<String, String> description = new LinkedHashMap<>();
        if (provider != null) {
            description.put("provider", provider);
        }
        if (name != null) {
            description.put("name", name);
        }
        if (baseUrl != null) {
            description.put("baseUrl", baseUrl);
        }
        return description;
    }
}
