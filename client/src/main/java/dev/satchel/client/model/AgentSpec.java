package dev.satchel.client.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The definition of an agent; everything but its name is optional. */
public record AgentSpec(
        String name,
        @Nullable String systemPrompt,
        @Nullable AgentModel model,
        @Nullable Map<String, String> variables,
        @Nullable String script,
        @Nullable Integer maxRounds,
        @Nullable List<String> allowedHosts) {

    public static AgentSpec named(String name) {
        return new AgentSpec(name, null, null, null, null, null, null);
    }

    public AgentSpec withSystemPrompt(String prompt) {
        return new AgentSpec(name, prompt, model, variables, script, maxRounds, allowedHosts);
    }
}
