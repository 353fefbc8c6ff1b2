package dev.satchel.server.agentserver;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.TurnRequest.Target;
import dev.satchel.server.turn.TurnService;
import java.io.IOException;
import java.util.Map;

/** {@code /agent-server/api/chat}: messages with the uploads that they refer to. */
public final class AgentChatRoutes {
    private final TurnService turns;
    private final ChatService chats;
    private final Executions executions;
    private final RunLogStreamer streamer;
    private final Authentication access;

    public AgentChatRoutes(
            TurnService turns,
            ChatService chats,
            Executions executions,
            RunLogStreamer streamer,
            Authentication access) {
        this.turns = turns;
        this.chats = chats;
        this.executions = executions;
        this.streamer = streamer;
        this.access = access;
    }

    public void addTo(Router router) {
        String chat = "/agent-server/api/chat";
        router.post(chat, access.requireCaller(Permission.WRITE_CHATS, this::sendFirst));
        router.post(
                chat + "/{sessionId}",
                access.requireCaller(Permission.WRITE_CHATS, this::sendNext));
        router.post(
                chat + "/{sessionId}/cancel",
                access.requireCaller(Permission.WRITE_CHATS, this::cancel));
    }

    private void sendFirst(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        AgentChatRequest request = exchange.readLenientJson(AgentChatRequest.class);
        send(exchange, caller, request, new Target.NewConversation(null));
    }

    private void sendNext(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        AgentChatRequest request = exchange.readLenientJson(AgentChatRequest.class);
        ConversationId conversation = chats.get(caller, AgentSessionRoutes.session(exchange)).id();
        send(exchange, caller, request, new Target.Existing(conversation));
    }

    private void send(Exchange exchange, Caller caller, AgentChatRequest request, Target target)
            throws IOException, InterruptedException {
        Run run = turns.start(caller, request.turn(target), exchange.operation().orElse(null));
        request.disconnected().apply(executions, streamer.readers(), exchange, run.id());
        streamer.stream(exchange, run.id(), 0);
    }

    private void cancel(Exchange exchange, Caller caller) throws InterruptedException {
        exchange.json(
                202,
                Map.of("cancelled", chats.cancel(caller, AgentSessionRoutes.session(exchange))));
    }
}
