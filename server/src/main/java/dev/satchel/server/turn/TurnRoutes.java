package dev.satchel.server.turn;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.runlog.EventPosition;
import dev.satchel.server.runlog.RunLogStreamer;
import java.io.IOException;
import java.util.Optional;

/** Sends a message and streams its run, as server-sent events or, by {@code Accept}, as NDJSON. */
public final class TurnRoutes {
    private final QueuedTurns turns;
    private final ChatService chats;
    private final Executions executions;
    private final RunLogStreamer streamer;
    private final Authentication access;

    public TurnRoutes(
            QueuedTurns turns,
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
        router.post(
                "/api/assistant/chat/stream",
                access.requireCaller(Permission.WRITE_CHATS, this::send));
        router.get(
                "/api/assistant/chats/{id}/stream",
                access.requireCaller(Permission.READ_CHATS, this::follow));
    }

    private void send(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        ChatRequest request = exchange.readJson(ChatRequest.class);
        QueuedTurns.Sent sent =
                turns.send(
                        caller,
                        request.turn(caller),
                        request.busy(),
                        exchange.operation().orElse(null));
        switch (sent) {
            case QueuedTurns.Sent.Started(Run run) -> {
                request.onDisconnect(exchange.operation().isPresent())
                        .apply(executions, streamer.readers(), exchange, run.id());
                streamer.stream(exchange, run.id(), 0);
            }
            case QueuedTurns.Sent.Queued queued ->
                    exchange.json(202, QueueView.Accepted.of(queued));
        }
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
            streamer.stream(exchange, named.get().id(), after);
            return;
        }
        Optional<Run> active = activeOrNext(caller, chat);
        if (active.isEmpty() || hasReadAll(active.get(), named)) {
            exchange.send(204); // an EventSource does not reconnect after this status
            return;
        }
        boolean plainNumber = position.isPresent() && position.get().run().isEmpty();
        if (plainNumber) {
            EventPosition.requireWithin(active.get(), after);
        }
        streamer.stream(exchange, active.get().id(), plainNumber ? after : 0);
    }

    /** A run that waits for people writes nothing. */
    private static boolean hasReadAll(Run active, Optional<Run> named) {
        return active.status() == RunStatus.WAITING
                && named.filter(run -> run.id().equals(active.id())).isPresent();
    }

    /** Between two turns the next one starts now, so that a reader finds it. */
    private Optional<Run> activeOrNext(Caller caller, Conversation chat) throws IOException {
        if (chat.activeRunId() == null) {
            turns.startNext(chat.id());
            return chats.activeRun(chats.get(caller, chat.id()));
        }
        return chats.activeRun(chat);
    }

    private static boolean hasMore(Run run, long after) {
        return run.status() == RunStatus.RUNNING || after < run.lastSeq();
    }
}
