package dev.satchel.server.agent;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import java.io.IOException;
import java.util.Map;

/** {@code /api/agents}, and the list of agents by workspace. */
public final class AgentRoutes {
    private final AgentService agents;
    private final Authentication access;

    public AgentRoutes(AgentService agents, Authentication access) {
        this.agents = agents;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/agents", access.requireCaller(this::list));
        router.post("/api/agents", access.requireCaller(this::create));
        router.get("/api/agents/{id}", access.requireCaller(this::read));
        router.put("/api/agents/{id}", access.requireCaller(this::replace));
        router.delete("/api/agents/{id}", access.requireCaller(this::delete));
        router.get(
                "/api/workspaces/{workspaceId}/agents",
                access.requireCaller(this::listByWorkspace));
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
        String path = request.path();
        if (path == null) {
            exchange.json(201, view(agents.create(caller, request.spec())));
        } else {
            Agent deployed = agents.deploy(caller, request.lenientSpec(), path);
            exchange.json(201, Map.of("agent", view(deployed)));
        }
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

    private AgentView view(Agent agent) {
        return AgentView.of(agent, agents.maxRounds(agent));
    }

    /** Clients of agent servers use the name instead, and expect the agent inside an object. */
    private static boolean isId(Exchange exchange) {
        return AgentId.isValid(exchange.pathParameter("id"));
    }

    private Agent named(Exchange exchange, Caller caller) {
        String name = exchange.pathParameter("id");
        return agents.find(caller, name).orElseThrow(AgentService::noSuchAgent);
    }
}
