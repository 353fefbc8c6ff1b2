package dev.satchel.server.session;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.turn.TurnService;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.SessionTimestamps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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

    /** The body of {@code POST /api/sessions/{id}/messages}: text, or blocks that hold some. */
    record MessageRequest(@Nullable JsonNode content, @Nullable Boolean includePartialMessages) {
        /** The text of the content; refused when it has none. */
        String text() {
            List<String> texts = new ArrayList<>();
            if (content != null && content.isString()) {
                texts.add(content.stringValue());
            } else if (content != null && content.isArray()) {
                for (JsonNode block : content) {
                    if (block.path("type").stringValue("").equals("text")) {
                        texts.add(block.path("text").stringValue(""));
                    }
                }
            }
            String text = String.join("\n\n", texts);
            if (text.isBlank()) {
                throw SessionErrors.invalid("body/content must be text or blocks with text");
            }
            return text;
        }

        boolean wantsPartial() {
            return Boolean.TRUE.equals(includePartialMessages);
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
