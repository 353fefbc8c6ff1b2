package dev.satchel.server.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /api/agents}, and the list of agents by workspace. */
public final class AgentRoutes {
    private final AgentService agents;
    private final Authentication access;

    public AgentRoutes(AgentService agents, Authentication access) {
        this.agents = agents;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/agents", access.requireCaller(Permission.READ_AGENTS, this::list));
        router.post("/api/agents", access.requireCaller(Permission.WRITE_AGENTS, this::create));
        router.get("/api/agents/{id}", access.requireCaller(Permission.READ_AGENTS, this::read));
        router.put(
                "/api/agents/{id}", access.requireCaller(Permission.WRITE_AGENTS, this::replace));
        router.patch(
                "/api/agents/{id}", access.requireCaller(Permission.WRITE_AGENTS, this::update));
        router.delete(
                "/api/agents/{id}", access.requireCaller(Permission.WRITE_AGENTS, this::delete));
        router.get(
                "/api/default-agent",
                access.requireCaller(Permission.READ_AGENTS, this::readDefault));
        router.put(
                "/api/default-agent",
                access.requireCaller(Permission.WRITE_AGENTS, this::setDefault));
        router.get(
                "/api/workspaces/{workspaceId}/agents",
                access.requireCaller(Permission.READ_AGENTS, this::listByWorkspace));
    }

    private void list(Exchange exchange, Caller caller) {
        exchange.json(
                200, new AgentView.All(agents.list(caller).stream().map(this::view).toList()));
    }

    private void listByWorkspace(Exchange exchange, Caller caller) {
        if (!exchange.pathParameter("workspaceId").equals(caller.tenant().value())) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such workspace");
        }
        list(exchange, caller);
    }

    private void create(Exchange exchange, Caller caller) throws IOException {
        AgentRequest request = exchange.readJson(AgentRequest.class);
        if (request.isDeployment()) {
            String path = Objects.requireNonNullElse(request.path(), "");
            Agent deployed = agents.deploy(caller, request.deployedSpec(), path);
            exchange.json(201, Map.of("agent", view(deployed)));
            return;
        }
        exchange.json(201, view(agents.create(caller, request.spec())));
    }

    private void read(Exchange exchange, Caller caller) {
        if (isId(exchange)) {
            exchange.json(200, view(agents.get(caller, AgentId.of(exchange))));
        } else {
            exchange.json(200, Map.of("agent", view(named(exchange, caller))));
        }
    }

    private void replace(Exchange exchange, Caller caller) throws IOException {
        AgentSpec spec = exchange.readJson(AgentRequest.class).spec();
        exchange.json(200, view(agents.replace(caller, AgentId.of(exchange), spec)));
    }

    private void update(Exchange exchange, Caller caller) throws IOException {
        AgentUpdate update = exchange.readLenientJson(AgentUpdate.class);
        if (isId(exchange)) {
            exchange.json(200, view(agents.update(caller, AgentId.of(exchange), update)));
        } else {
            AgentId id = named(exchange, caller).id();
            exchange.json(200, Map.of("agent", view(agents.update(caller, id, update))));
        }
    }

    private void delete(Exchange exchange, Caller caller) {
        if (isId(exchange)) {
            agents.delete(caller, AgentId.of(exchange));
            exchange.send(204);
        } else {
            Agent named = named(exchange, caller);
            agents.delete(caller, named.id());
            exchange.json(200, Map.of("name", named.spec().name(), "deleted", true));
        }
    }

    /** The body of {@code /api/default-agent}; null when there is none. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record DefaultAgent(@Nullable String agentId) {}

    private void readDefault(Exchange exchange, Caller caller) {
        String id = agents.defaultAgent(caller).map(agent -> agent.id().value()).orElse(null);
        exchange.json(200, new DefaultAgent(id));
    }

    private void setDefault(Exchange exchange, Caller caller) throws IOException {
        String id = exchange.readJson(DefaultAgent.class).agentId();
        if (id != null && !AgentId.isValid(id)) {
            throw AgentService.noSuchAgent();
        }
        agents.setDefault(caller, id == null ? null : new AgentId(id));
        readDefault(exchange, caller);
    }

    private AgentView view(Agent agent) {
        return AgentView.of(agent, agents.maxRounds(agent));
    }

    /** Clients of agent servers use the name instead, and expect the agent inside an object. */
    private static boolean isId(Exchange exchange) {
        return AgentId.isValid(exchange.pathParameter("id"));
    }

    private Agent named(Exchange exchange, Caller caller) {
        return agents.named(caller, exchange.pathParameter("id"));
    }
}
