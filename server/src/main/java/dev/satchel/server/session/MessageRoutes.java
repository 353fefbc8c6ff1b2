package dev.satchel.server.session;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.turn.TurnService;
import dev.satchel.server.workspace.SessionLookup;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code /api/sessions/{id}/messages}: lists the thread, and starts turns. */
public final class MessageRoutes {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private final SessionService sessions;
    private final SessionLookup lookup;
    private final TurnService turns;
    private final RunLogStreamer streamer;
    private final Authentication access;

    public MessageRoutes(
            SessionService sessions,
            SessionLookup lookup,
            TurnService turns,
            RunLogStreamer streamer,
            Authentication access) {
        this.sessions = sessions;
        this.lookup = lookup;
        this.turns = turns;
        this.streamer = streamer;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/sessions/{id}/messages", access.requireCaller(this::list));
        router.post("/api/sessions/{id}/messages", access.requireCaller(this::send));
    }

    private void list(Exchange exchange, Caller caller) {
        Session session = sessions.of(lookup.find(exchange, caller));
        int after = SessionRoutes.number(exchange, "after", 0, 0, Integer.MAX_VALUE);
        int limit = SessionRoutes.number(exchange, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        List<MessageView> found =
                sessions.messages(session, after, limit).stream()
                        .map(message -> MessageView.of(session, message))
                        .toList();
        exchange.json(200, Map.of("messages", found));
    }

    /** The run continues when the client disconnects, and its answer is stored. */
    private void send(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Session session = sessions.of(lookup.find(exchange, caller));
        MessageRequest message = exchange.readLenientJson(MessageRequest.class);
        String text = message.text();
        TurnRequest turn =
                new TurnRequest(session.target(), Message.of(MessageId.random(), text, List.of()));
        Run run = turns.start(caller, turn, exchange.operation().orElse(null));
        String id = session.conversation().id().value();
        try (EventStream events = exchange.events()) {
            streamer.follow(
                    exchange,
                    run.id(),
                    new SessionEventEncoder(id, message.wantsPartial(), events));
        }
    }
}
