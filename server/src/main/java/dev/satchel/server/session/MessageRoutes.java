package dev.satchel.server.session;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.access.Caller;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunFollower;
import dev.satchel.server.run.RunStarts;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.Turns;
import dev.satchel.server.workspace.SessionLookup;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code /api/sessions/{id}/messages}: the thread, and turns in its clients' own dialect. */
public final class MessageRoutes {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private final Sessions sessions;
    private final SessionLookup lookup;
    private final Turns turns;
    private final RunStarts starts;
    private final RunFollower follower;
    private final Access access;

    public MessageRoutes(
            Sessions sessions,
            SessionLookup lookup,
            Turns turns,
            RunStarts starts,
            RunFollower follower,
            Access access) {
        this.sessions = sessions;
        this.lookup = lookup;
        this.turns = turns;
        this.starts = starts;
        this.follower = follower;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/sessions/{id}/messages", access.required(this::list));
        router.post("/api/sessions/{id}/messages", access.required(this::send));
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

    /** A client that goes away loses nothing: the run goes on, and its answer is stored. */
    private void send(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Session session = sessions.of(lookup.find(exchange, caller));
        NewMessage message = exchange.readLenientJson(NewMessage.class);
        String text = message.text();
        String id = session.conversation().id().value();
        TurnRequest turn = new TurnRequest(text, id, null, null, List.of(), null, "continue");
        Run run =
                starts.begin(
                        exchange,
                        caller,
                        runId -> {
                            session.requireActive();
                            return turns.begin(
                                    caller, turn, runId, session.setup(), sessions::requireActive);
                        });
        try (EventStream events = exchange.events()) {
            follower.follow(
                    exchange, run.id(), new SessionEvents(id, message.wantsPartial(), events));
        }
    }
}
