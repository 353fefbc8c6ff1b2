package dev.satchel.server.session;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The body of {@code PATCH /api/sessions/{id}/config}; what it does not name stays. */
record SessionConfigRequest(
        @Nullable String model,
        @Nullable List<String> allowedTools,
        @Nullable List<String> disallowedTools,
        @Nullable JsonNode subagents,
        @Nullable String initialAgent) {
    private static final int MAX_NAME = 200;

    SessionConfigRequest {
        if (model != null) {
            Fields.text("model", model, MAX_NAME);
        }
        if ((subagents != null && !subagents.isNull() && !subagents.isEmpty())
                || initialAgent != null) {
            throw Fields.invalid("subagents", "are not supported");
        }
    }

    SessionConfig config() {
        return new SessionConfig(allowedTools, disallowedTools);
    }

    /** The named model, for the provider that the agent has. */
    RunConfig.@Nullable Model model(RunConfig.@Nullable Model agents) {
        return model == null ? agents : SessionRequest.named(agents, model);
    }
}
