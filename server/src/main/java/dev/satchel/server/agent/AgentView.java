package dev.satchel.server.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.RunConfig;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An agent as JSON, with the fields that clients of agent servers expect. */
record AgentView(
        String id,
        String workspaceId,
        String tenantId,
        String name,
        String systemPrompt,
        Object model,
        Map<String, String> variables,
        String script,
        int maxRounds,
        List<String> allowedHosts,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> tools,
        Map<String, String> permissions,
        Map<String, RunConfig.McpServer> mcpServers,
        List<String> skills,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String description,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode config,
        long version,
        String path,
        String createdAt,
        String updatedAt) {

    /** Always with milliseconds: clients compare the texts. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    record All(List<AgentView> agents) {}

    /** The newest first; {@code nextCursor} is that of the older page. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Versions(List<AgentView> versions, @Nullable String nextCursor) {}

    /** {@code maxRounds} is the number that counts, also when the agent names none. */
    static AgentView of(Agent agent, int maxRounds) {
        AgentSpec spec = agent.spec();
        return new AgentView(
                agent.id().value(),
                agent.tenant().value(),
                agent.tenant().value(),
                spec.name(),
                spec.systemPrompt(),
                spec.model().wireForm(),
                new TreeMap<>(spec.variables()), // the same order every time
                spec.script(),
                maxRounds,
                spec.allowedHosts(),
                spec.tools(),
                new TreeMap<>(spec.permissions()),
                new TreeMap<>(spec.mcpServers()),
                spec.skills(),
                spec.notes().description(),
                spec.notes().config(),
                agent.version(),
                agent.path(),
                time(agent.createdAt()),
                time(agent.updatedAt()));
    }

    static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis));
    }
}
