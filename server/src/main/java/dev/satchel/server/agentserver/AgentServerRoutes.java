package dev.satchel.server.agentserver;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.database.Database;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /agent-server/api}: the agents and the health of the server. */
public final class AgentServerRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(AgentServerRoutes.class);

    private final AgentService agents;
    private final Database database;
    private final Authentication access;

    public AgentServerRoutes(AgentService agents, Database database, Authentication access) {
        this.agents = agents;
        this.database = database;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/agent-server/api/agents",
                access.requireCaller(Permission.READ_AGENTS, this::agents));
        router.get("/agent-server/api/health", this::health);
    }

    private void agents(Exchange exchange, Caller caller) {
        exchange.json(
                200,
                agents.list(caller).stream()
                        .map(agent -> new AgentItem(agent.id().value(), agent.spec().name()))
                        .toList());
    }

    private void health(Exchange exchange) {
        try {
            database.ping();
            exchange.json(200, Map.of("status", "ok"));
        } catch (RuntimeException e) {
            LOG.debug("the database does not respond", e);
            exchange.json(503, Map.of("status", "error"));
        }
    }

    /** One agent of the list. */
    record AgentItem(String id, String name) {}
}
