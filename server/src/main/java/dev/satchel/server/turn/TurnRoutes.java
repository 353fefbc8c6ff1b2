package dev.satchel.server.turn;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunLogLine;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.runlog.EventPosition;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.runlog.RunRequests;
import java.io.IOException;
import java.util.Optional;

/**
 * Sending a message and following its run, as server-sent events or, by {@code Accept}, as NDJSON.
 */
public final class TurnRoutes {
    private final TurnService turns;
    private final ChatService chats;
    private final Executions executions;
    private final RunRequests starts;
    private final RunLogStreamer follower;
    private final Authentication access;

    public TurnRoutes(
            TurnService turns,
            ChatService chats,
            Executions executions,
            RunRequests starts,
            RunLogStreamer follower,
            Authentication access) {
        this.turns = turns;
        this.starts = starts;
        this.chats = chats;
        this.executions = executions;
        this.follower = follower;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post("/api/assistant/chat/stream", access.required(this::send));
        router.get("/api/assistant/chats/{id}/stream", access.required(this::follow));
    }

    private void send(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        TurnRequest request = exchange.readJson(TurnRequest.class);
        requireOwnWorkspace(caller, request);
        run(exchange, caller, request);
    }

    /** Refuses while nothing could run, before anything is made for it. */
    public void requireSandbox() {
        executions.requireAvailable();
    }

    /** Refuses while a turn is running, before anything is made for another. */
    public void requireFree(Caller caller, ConversationId chat) {
        turns.requireFree(caller, chat);
    }

    /** Begins a turn and follows it to its end. */
    public void run(Exchange exchange, Caller caller, TurnRequest request)
            throws IOException, InterruptedException {
        boolean cancels = request.cancelsOnDisconnect(exchange.operation().isPresent());
        Run run = begin(exchange, caller, cancels, () -> request);
        stream(exchange, run.id(), 0);
    }

    /** Does what has to be done before a turn, such as taking in its files. */
    @FunctionalInterface
    public interface Preparation {
        TurnRequest turn() throws IOException;
    }

    /** Begins a turn; a repeat of its request prepares nothing and finds what was begun. */
    public Run begin(
            Exchange exchange, Caller caller, boolean cancelsOnDisconnect, Preparation preparation)
            throws IOException {
        Run run =
                starts.begin(
                        exchange,
                        caller,
                        id -> {
                            requireSandbox();
                            return turns.begin(caller, preparation.turn(), id);
                        });
        if (cancelsOnDisconnect) {
            exchange.onDisconnect(() -> turns.clientGone(run.id()));
        }
        return run;
    }

    private void follow(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Conversation chat = chats.get(caller, ChatRoutes.chatId(exchange));
        Optional<EventPosition> position = EventPosition.asked(exchange);
        Optional<Run> named = position.flatMap(EventPosition::run).flatMap(chats::run);
        if (named.isPresent() && !chat.id().equals(named.get().conversation())) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such run in this chat");
        }
        long after = position.map(EventPosition::seq).orElse(0L);
        named.ifPresent(run -> EventPosition.requireWithin(run, after));
        if (named.isPresent() && hasMore(named.get(), after)) {
            stream(exchange, named.get().id(), after);
            return;
        }
        Optional<Run> active = chats.activeRun(chat);
        if (active.isEmpty()) {
            exchange.send(204); // tells an EventSource to stop asking
            return;
        }
        boolean plainNumber = position.isPresent() && position.get().run().isEmpty();
        if (plainNumber) {
            EventPosition.requireWithin(active.get(), after);
        }
        stream(exchange, active.get().id(), plainNumber ? after : 0);
    }

    private static boolean hasMore(Run run, long after) {
        return run.status() == RunStatus.RUNNING || after < run.lastSeq();
    }

    /** A run's events from a number on. */
    public void stream(Exchange exchange, RunId run, long after)
            throws IOException, InterruptedException {
        if (EventPosition.wantsNdjson(exchange)) {
            follower.ndjson(exchange, run, after, RunLogLine::isEvent);
        } else {
            follower.events(exchange, run, after);
        }
    }

    /** The seed's clients name their workspace; naming somebody else's is no way in. */
    private static void requireOwnWorkspace(Caller caller, TurnRequest request) {
        String workspace = request.workspaceId();
        if (workspace != null && !workspace.equals(caller.tenant().value())) {
            throw ChatErrors.noSuchChat();
        }
    }
}
