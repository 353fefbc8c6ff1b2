package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A saved agent. */
public record Agent(
        String id,
        String workspaceId,
        String name,
        String systemPrompt,
        AgentModel model,
        Map<String, String> variables,
        String script,
        int maxRounds,
        List<String> allowedHosts,
        List<String> skills,
        Instant createdAt,
        Instant updatedAt,
        JsonNode json)
        implements ServerObject {

    public Agent {
        variables = Map.copyOf(variables);
        allowedHosts = List.copyOf(allowedHosts);
        skills = skills == null ? List.of() : List.copyOf(skills);
    }
}
