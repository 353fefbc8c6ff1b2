package dev.satchel.server.upload;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.FileId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.run.Run;
import dev.satchel.server.turn.Chats;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnRoutes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /agent-server/api/chat}: messages that bring their uploads with them. */
public final class AgentChatRoutes {
    private final Claims claims;
    private final Chats chats;
    private final TurnRoutes turns;
    private final Access access;

    public AgentChatRoutes(Claims claims, Chats chats, TurnRoutes turns, Access access) {
        this.claims = claims;
        this.chats = chats;
        this.turns = turns;
        this.access = access;
    }

    public void addTo(Router router) {
        String chat = "/agent-server/api/chat";
        router.post(chat, access.required(this::begin));
        router.post(chat + "/{sessionId}", access.required(this::goOn));
        router.post(chat + "/{sessionId}/cancel", access.required(this::cancel));
    }

    private void begin(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        ChatRequest request = exchange.readLenientJson(ChatRequest.class);
        TurnRequest first = request.turn(null); // refuses what is malformed before anything moves
        List<FileId> files = request.files();
        if (files.isEmpty()) {
            turns.run(exchange, caller, first);
            return;
        }
        turns.requireSandbox();
        ConversationId conversation = claims.intoNew(caller.tenant(), files);
        Optional<Run> begun = chats.latestRun(conversation);
        if (begun.isEmpty()) {
            turns.run(exchange, caller, request.turn(conversation));
            return;
        }
        if (!begun.get().prompt().equals(request.message())) {
            throw Claims.noSuchFile(); // they belong to that conversation by now
        }
        turns.stream(exchange, begun.get().id(), 0); // the same request again, the same answer
    }

    private void goOn(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        ChatRequest request = exchange.readLenientJson(ChatRequest.class);
        ConversationId conversation = chats.get(caller, SessionRoutes.session(exchange)).id();
        TurnRequest turn = request.turn(conversation);
        List<FileId> files = request.files();
        turns.requireSandbox();
        if (!files.isEmpty()) {
            claims.into(caller.tenant(), conversation, files);
        }
        turns.run(exchange, caller, turn);
    }

    private void cancel(Exchange exchange, Caller caller) throws InterruptedException {
        exchange.json(
                202, Map.of("cancelled", chats.cancel(caller, SessionRoutes.session(exchange))));
    }
}
