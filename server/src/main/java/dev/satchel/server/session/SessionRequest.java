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

/** The body of {@code POST /api/sessions}. */
record SessionRequest(
        String agent,
        @Nullable String model,
        @Nullable String systemPrompt,
        @Nullable Map<String, String> extraEnv,
        @Nullable String startupScript,
        @Nullable Map<String, McpServerRequest> mcpServers,
        @Nullable List<String> allowedTools,
        @Nullable List<String> disallowedTools,
        @Nullable String credentialId) {
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
        if (credentialId != null && !credentialId.isEmpty()) {
            throw Fields.invalid(
                    "credentialId",
                    "is not supported: no credential is put into a sandbox; the runner has the keys"
                            + " of models, and MCP servers name credentials");
        }
    }

    /** An MCP server as clients of agent servers describe it: without a type. */
    record McpServerRequest(
            @Nullable String type,
            @Nullable String url,
            @Nullable Map<String, String> headers,
            @Nullable String credential,
            @Nullable String command,
            @Nullable List<String> args,
            @Nullable Map<String, String> env) {
        RunConfig.McpServer server() {
            return new RunConfig.McpServer(
                    command == null ? RunConfig.McpServer.HTTP : RunConfig.McpServer.STDIO,
                    url,
                    headers,
                    credential,
                    command,
                    args,
                    env);
        }
    }

    SessionConfig config() {
        return new SessionConfig(allowedTools, disallowedTools);
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
                servers(agents.mcpServers()),
                agents.skillNames(),
                List.of());
    }

    /** Those of the agent, and those of the session in place of them. */
    private Map<String, RunConfig.McpServer> servers(Map<String, RunConfig.McpServer> agents) {
        Map<String, RunConfig.McpServer> all = new HashMap<>(agents);
        Objects.requireNonNullElse(mcpServers, Map.<String, McpServerRequest>of())
                .forEach(
                        (name, server) ->
                                all.put(
                                        name,
                                        Fields.required("mcpServers." + name, server).server()));
        return AgentSpec.mcpServers(all);
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

    /** A model by its name, for the provider of the agent. */
    static RunConfig.Model named(RunConfig.@Nullable Model agents, String name) {
        return agents == null
                ? new RunConfig.Model(null, name, null, null)
                : new RunConfig.Model(agents.provider(), name, agents.baseUrl(), agents.apiKey());
    }
}
