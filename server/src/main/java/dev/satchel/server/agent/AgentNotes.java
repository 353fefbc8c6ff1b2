package dev.satchel.server.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Fields;
import dev.satchel.protocol.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What clients store with an agent for themselves; a run uses none of it.
 *
 * @param config an object, which is returned as it was sent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentNotes(@Nullable String description, @Nullable JsonNode config) {
    static final AgentNotes NONE = new AgentNotes(null, null);

    private static final int MAX_TEXT = 10_000;
    private static final int MAX_CONFIG = 64 * 1024;

    public AgentNotes {
        if (description != null) {
            Fields.atMost("description", description, MAX_TEXT);
        }
        config = config == null || config.isNull() ? null : config;
        if (config != null) {
            if (!config.isObject()) {
                throw Fields.invalid("config", "must be an object");
            }
            Fields.atMost("config", Json.MAPPER.writeValueAsString(config), MAX_CONFIG);
        }
    }

    /** These, with what a request names in their place. */
    AgentNotes with(@Nullable String newDescription, @Nullable JsonNode newConfig) {
        return new AgentNotes(
                newDescription == null ? description : newDescription,
                newConfig == null ? config : newConfig);
    }
}
