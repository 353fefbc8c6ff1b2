package dev.satchel.server.session;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.agent.AgentSpec;
import dev.satchel.server.run.RunSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The body of {@code POST /api/sessions}. */
record SessionRequest(
        String agent,
        @Nullable String model,
        @Nullable String systemPrompt,
        @Nullable Map<String, String> extraEnv,
        @Nullable String startupScript,
        @Nullable JsonNode mcpServers,
        @Nullable JsonNode allowedTools,
        @Nullable JsonNode disallowedTools) {
    private static final int MAX_NAME = 200;
    private static final int MAX_PROMPT = 100_000;

    SessionRequest {
        Fields.text("agent", agent, MAX_NAME);
        if (model != null) {
            Fields.text("model", model, MAX_NAME);
        }
        if (systemPrompt != null) {
            Fields.atMost("systemPrompt", systemPrompt, MAX_PROMPT);
        }
        if (startupScript != null) {
            Fields.atMost("startupScript", startupScript, MAX_PROMPT);
        }
        if (extraEnv != null) {
            extraEnv = AgentSpec.variables("extraEnv", extraEnv);
        }
        refuse("mcpServers", mcpServers);
        refuse("allowedTools", allowedTools);
        refuse("disallowedTools", disallowedTools);
    }

    /** Refused, since ignoring the value would look like supporting it. */
    private static void refuse(String field, @Nullable JsonNode value) {
        if (value != null && !value.isNull() && !value.isEmpty()) {
            throw Fields.invalid(field, "is not supported");
        }
    }

    /** The setup of the agent with the values that this session replaces. */
    RunSetup override(RunSetup agents) {
        return new RunSetup(
                agents.agent(),
                systemPrompt == null ? agents.systemPrompt() : systemPrompt,
                model == null ? agents.model() : named(agents.model(), model),
                variables(agents.variables()),
                script(agents.script()),
                agents.maxRounds(),
                agents.allowedHosts(),
                null,
                agents.tools(),
                agents.permissions(),
                null,
                agents.mcpServers(),
                agents.skillNames(),
                List.of());
    }

    private Map<String, String> variables(Map<String, String> agents) {
        Map<String, String> all = new HashMap<>(agents);
        all.putAll(Objects.requireNonNullElse(extraEnv, Map.of()));
        return all;
    }

    private String script(String agents) {
        return startupScript == null || agents.isBlank()
                ? Objects.requireNonNullElse(startupScript, agents)
                : agents + "\n" + startupScript;
    }

    private static RunConfig.Model named(RunConfig.@Nullable Model agents, String name) {
        return agents == null
                ? new RunConfig.Model(null, name, null, null)
                : new RunConfig.Model(agents.provider(), name, agents.baseUrl(), agents.apiKey());
    }
}
