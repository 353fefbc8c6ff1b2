package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. Without a chat it begins a new one. Its run goes on when the connection is
 * lost, for a client that means to come back; {@link #cancelledWithConnection} is the other way.
 */
public record TurnRequest(
        String message, @Nullable String chatId, List<String> attachmentIds, String onDisconnect) {
    public TurnRequest {
        attachmentIds = List.copyOf(attachmentIds);
    }

    public static TurnRequest of(String message) {
        return new TurnRequest(message, null, List.of(), "continue");
    }

    public TurnRequest in(String chat) {
        return new TurnRequest(message, chat, attachmentIds, onDisconnect);
    }

    /** Files of the chat's bag that belong to this message. */
    public TurnRequest with(List<String> attachments) {
        return new TurnRequest(message, chatId, attachments, onDisconnect);
    }

    public TurnRequest cancelledWithConnection() {
        return new TurnRequest(message, chatId, attachmentIds, "cancel");
    }
}
