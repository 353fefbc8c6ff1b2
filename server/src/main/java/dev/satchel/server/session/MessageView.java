package dev.satchel.server.session;

import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.workspace.SessionTimestamps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        return content;
    }
}
