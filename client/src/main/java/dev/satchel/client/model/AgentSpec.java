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
        @Nullable List<String> allowedHosts,
        @Nullable List<String> tools,
        @Nullable Map<String, String> permissions,
        @Nullable List<String> skills) {

    public static AgentSpec named(String name) {
        return new AgentSpec(name, null, null, null, null, null, null, null, null, null);
    }

    public AgentSpec withSystemPrompt(String prompt) {
        return new AgentSpec(
                name,
                prompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                tools,
                permissions,
                skills);
    }

    /** The tools that it has, by name, or {@code mcp:<server>:*}. */
    public AgentSpec withTools(List<String> names) {
        return new AgentSpec(
                name,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                names,
                permissions,
                skills);
    }

    /** What the tools may do: {@code allow}, {@code ask} or {@code deny}, by name or prefix. */
    public AgentSpec withPermissions(Map<String, String> given) {
        return new AgentSpec(
                name,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                tools,
                given,
                skills);
    }

    /** The skills that it uses, by name. */
    public AgentSpec withSkills(List<String> names) {
        return new AgentSpec(
                name,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                tools,
                permissions,
                names);
    }
}
