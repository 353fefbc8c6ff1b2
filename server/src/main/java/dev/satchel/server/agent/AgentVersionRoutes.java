package dev.satchel.server.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code /api/agents/{id}/versions}: the versions of an agent, and the way back to one. */
public final class AgentVersionRoutes {
    private static final int MAX_VERSIONS = 1_000;

    private final AgentService agents;
    private final Authentication access;

    public AgentVersionRoutes(AgentService agents, Authentication access) {
        this.agents = agents;
        this.access = access;
    }

    public void addTo(Router router) {
        String all = "/api/agents/{id}/versions";
        router.get(all, access.requireCaller(Permission.READ_AGENTS, this::list));
        router.get(all + "/{version}", access.requireCaller(Permission.READ_AGENTS, this::read));
        router.post(
                all + "/{version}/activate",
                access.requireCaller(Permission.WRITE_AGENTS, this::activate));
    }

    /** A version as clients of agent servers expect it; only the newest is active. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record NamedVersion(
            String id,
            String tenantId,
            String agentName,
            long versionNumber,
            String name,
            String systemPrompt,
            @Nullable String releaseNotes,
            boolean isActive,
            @Nullable List<String> knowledgeFiles,
            @Nullable String createdBy,
            String createdAt,
            String updatedAt) {

        static NamedVersion of(Agent agent, Agent version) {
            String key = agent.id().value() + ":" + version.version();
            String time = AgentView.time(version.updatedAt());
            return new NamedVersion(
                    UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString(),
                    agent.tenant().value(),
                    agent.spec().name(),
                    version.version(),
                    "v" + version.version(),
                    version.spec().systemPrompt(),
                    null,
                    version.version() == agent.version(),
                    null,
                    null,
                    time,
                    time);
        }
    }

    /** By the name of the agent all versions that there are room for, by its id a page. */
    private void list(Exchange exchange, Caller caller) {
        String agent = exchange.pathParameter("id");
        if (!AgentId.isValid(agent)) {
            Agent named = agents.named(caller, agent);
            List<NamedVersion> versions =
                    agents.versions(caller, named.id(), Long.MAX_VALUE, MAX_VERSIONS).stream()
                            .map(version -> NamedVersion.of(named, version))
                            .toList();
            exchange.json(200, Map.of("versions", versions));
            return;
        }
        int limit = PageRequest.limit(exchange);
        long before =
                exchange.query("cursor").map(AgentVersionRoutes::cursor).orElse(Long.MAX_VALUE);
        List<Agent> page = agents.versions(caller, AgentId.of(exchange), before, limit);
        exchange.json(
                200,
                new AgentView.Versions(
                        page.stream().map(this::view).toList(),
                        page.size() < limit ? null : String.valueOf(page.getLast().version())));
    }

    private void read(Exchange exchange, Caller caller) {
        long number = number(exchange);
        String agent = exchange.pathParameter("id");
        if (AgentId.isValid(agent)) {
            exchange.json(200, view(agents.version(caller, new AgentId(agent), number)));
            return;
        }
        Agent named = agents.named(caller, agent);
        Agent version = agents.version(caller, named.id(), number);
        exchange.json(200, Map.of("version", NamedVersion.of(named, version)));
    }

    /** The answer names the version that clients asked for; the agent has a new one like it. */
    private void activate(Exchange exchange, Caller caller) {
        long number = number(exchange);
        String agent = exchange.pathParameter("id");
        AgentId id = AgentId.isValid(agent) ? new AgentId(agent) : agents.named(caller, agent).id();
        Agent _ = agents.activate(caller, id, number);
        exchange.json(200, Map.of("activated", true, "versionNumber", number));
    }

    private AgentView view(Agent agent) {
        return AgentView.of(agent, agents.maxRounds(agent));
    }

    private static long number(Exchange exchange) {
        try {
            return Long.parseLong(exchange.pathParameter("version"));
        } catch (NumberFormatException e) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "Version not found");
        }
    }

    private static long cursor(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw Fields.invalid("cursor", "is not one that this route has given");
        }
    }
}
