package dev.satchel.server.agentserver;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.turn.ChatService;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /agent-server/api}: sessions to catch up with or to wipe, agents, and the pulse. */
public final class AgentSessionRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSessionRoutes.class);
    private static final int MESSAGES = 200;

    private final ChatService chats;
    private final BagService bags;
    private final ConversationDeletion wipes;
    private final AgentService agents;
    private final Database database;
    private final Authentication access;

    public AgentSessionRoutes(
            ChatService chats,
            BagService bags,
            ConversationDeletion wipes,
            AgentService agents,
            Database database,
            Authentication access) {
        this.chats = chats;
        this.bags = bags;
        this.wipes = wipes;
        this.agents = agents;
        this.database = database;
        this.access = access;
    }

    public void addTo(Router router) {
        String api = "/agent-server/api";
        router.get(api + "/sessions/{sessionId}", access.requireCaller(this::read));
        router.delete(api + "/sessions/{sessionId}", access.requireCaller(this::wipe));
        router.get(api + "/agents", access.requireCaller(this::agents));
        router.get(api + "/health", this::health);
    }

    /** An id that cannot be one belongs to no session. */
    static ConversationId session(Exchange exchange) {
        String id = exchange.pathParameter("sessionId");
        if (!ConversationId.isValid(id)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such session");
        }
        return new ConversationId(id);
    }

    private void read(Exchange exchange, Caller caller) {
        ConversationId id = session(exchange);
        ChatService.ThreadPage thread = chats.read(caller, id, Optional.empty(), MESSAGES);
        exchange.json(200, AgentSessionView.of(thread, bags.list(new BagId.OfConversation(id))));
    }

    private void wipe(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        wipes.wipe(caller, session(exchange));
        exchange.send(204);
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
            LOG.warn("the database does not answer", e);
            exchange.json(500, Map.of("status", "error"));
        }
    }

    /** One agent of the list. */
    record AgentItem(String id, String name) {}
}
