package dev.satchel.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. Without a chat it begins a new one. Its run goes on when the connection is
 * lost, for a client that means to come back; {@link #cancelledWithConnection} is the other way.
 */
public record NewTurn(
        String message, @Nullable String chatId, List<String> attachmentIds, String onDisconnect) {
    public NewTurn {
        attachmentIds = List.copyOf(attachmentIds);
    }

    public static NewTurn of(String message) {
        return new NewTurn(message, null, List.of(), "continue");
    }

    public NewTurn in(String chat) {
        return new NewTurn(message, chat, attachmentIds, onDisconnect);
    }

    /** Files of the chat's bag that belong to this message. */
    public NewTurn with(List<String> attachments) {
        return new NewTurn(message, chatId, attachments, onDisconnect);
    }

    public NewTurn cancelledWithConnection() {
        return new NewTurn(message, chatId, attachmentIds, "cancel");
    }
}
