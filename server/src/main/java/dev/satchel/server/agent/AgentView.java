package dev.satchel.server.agent;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
        Map<String, String> permissions,
        long version,
        String path,
        String createdAt,
        String updatedAt) {

    /** Always with milliseconds: clients compare the texts. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    record All(List<AgentView> agents) {}

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
                new TreeMap<>(spec.permissions()),
                agent.version(),
                agent.path(),
                time(agent.createdAt()),
                time(agent.updatedAt()));
    }

    private static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis));
    }
}
