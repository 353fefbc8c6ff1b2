package dev.satchel.server.session;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnService;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.SessionTimestamps;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /api/sessions/{id}/messages}: lists the thread, and starts turns. */
public final class MessageRoutes {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private final SessionService sessions;
    private final SessionLookup lookup;
    private final TurnService turns;
    private final Streaming streaming;
    private final Authentication access;

    /**
     * How answers are streamed.
     *
     * @param version of this server, which the first event names
     * @param maxBodyBytes of a message with files in it
     */
    public record Streaming(RunLogStreamer streamer, String version, long maxBodyBytes) {}

    public MessageRoutes(
            SessionService sessions,
            SessionLookup lookup,
            TurnService turns,
            Streaming streaming,
            Authentication access) {
        this.sessions = sessions;
        this.lookup = lookup;
        this.turns = turns;
        this.streaming = streaming;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/messages",
                access.requireCaller(Permission.READ_CHATS, this::list));
        router.post(
                "/api/sessions/{id}/messages",
                access.requireCaller(Permission.WRITE_CHATS, this::send));
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
        SessionMessageRequest message =
                exchange.readLenientJson(SessionMessageRequest.class, streaming.maxBodyBytes());
        TurnRequest turn =
                new TurnRequest(session.target(), message.message(), message.selection());
        Run run = turns.start(caller, turn, exchange.operation().orElse(null));
        String id = session.conversation().id().value();
        try (EventStream events = exchange.events()) {
            SessionEventEncoder encoder =
                    new SessionEventEncoder(id, message.wantsPartial(), events);
            encoder.start(streaming.version());
            streaming.streamer().follow(exchange, run.id(), encoder);
        }
    }

    /** A message as JSON; {@code content} is JSON in a string, as the clients expect. */
    record MessageView(
            String id,
            String sessionId,
            String tenantId,
            String role,
            String content,
            long sequence,
            String createdAt) {

        static MessageView of(Session session, SessionService.Numbered numbered) {
            PersistedMessage message = numbered.message();
            return new MessageView(
                    message.id(),
                    session.conversation().id().value(),
                    session.conversation().tenant().value(),
                    message.role().wireName(),
                    Json.MAPPER.writeValueAsString(content(message)),
                    numbered.number(),
                    SessionTimestamps.ofMillis(message.createdAt()));
        }

        private static Map<String, Object> content(PersistedMessage message) {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("type", message.role().wireName());
            if (message.role() == Role.USER) {
                content.put("content", message.text());
            } else {
                content.put(
                        "message",
                        Map.of("content", List.of(Map.of("type", "text", "text", message.text()))));
            }
            if (!message.notHandedOver().isEmpty()) {
                content.put("notHandedOver", message.notHandedOver());
            }
            if (message.workspace() != null) {
                content.put("workspace", message.workspace());
            }
            return content;
        }
    }
}
