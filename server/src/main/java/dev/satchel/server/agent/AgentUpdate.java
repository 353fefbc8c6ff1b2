package dev.satchel.server.agent;

import dev.satchel.http.Fields;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The body of {@code PATCH /api/agents/{id}}; what it does not name stays. */
record AgentUpdate(
        @Nullable String name,
        @Nullable String systemPrompt,
        @Nullable String model,
        @Nullable String description,
        @Nullable JsonNode config,
        @Nullable String status) {

    AgentUpdate {
        if (status != null && !status.equals("active")) {
            throw Fields.invalid("status", "can only be active: delete an agent to end its use");
        }
    }

    /** The agent with what this names. */
    AgentSpec apply(AgentSpec before) {
        String prompt = Objects.requireNonNullElse(systemPrompt, before.systemPrompt());
        return before.with(
                        Objects.requireNonNullElse(name, before.name()),
                        prompt,
                        model == null ? before.model() : AgentModel.ofRegistry(model))
                .with(before.notes().with(description, config));
    }
}
