package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. Without a chat it begins a new one. Its run goes on when the connection is
 * lost, for a client that means to come back; {@link #cancelledWithConnection} is the other way.
 *
 * @param whenBusy what happens while another turn runs; null to refuse the message
 * @param agentId the id of a saved agent, which the chat keeps, or {@code default}; null for the
 *     one of the chat
 * @param model the id of a model of the server; null for the one of the chat; {@code default} for
 *     that of the agent
 */
public record TurnRequest(
        String message,
        @Nullable String chatId,
        List<String> attachmentIds,
        @Nullable String agentId,
        @Nullable String model,
        String onDisconnect,
        @Nullable String whenBusy) {
    public TurnRequest {
        attachmentIds = List.copyOf(attachmentIds);
    }

    public static TurnRequest of(String message) {
        return new TurnRequest(message, null, List.of(), null, null, "continue", null);
    }

    public TurnRequest in(String chat) {
        return new TurnRequest(
                message, chat, attachmentIds, agentId, model, onDisconnect, whenBusy);
    }

    /** Files of the chat's bag that belong to this message. */
    public TurnRequest with(List<String> attachments) {
        return new TurnRequest(
                message, chatId, attachments, agentId, model, onDisconnect, whenBusy);
    }

    public TurnRequest withAgent(@Nullable String id) {
        return new TurnRequest(message, chatId, attachmentIds, id, model, onDisconnect, whenBusy);
    }

    public TurnRequest withModel(@Nullable String id) {
        return new TurnRequest(message, chatId, attachmentIds, agentId, id, onDisconnect, whenBusy);
    }

    public TurnRequest cancelledWithConnection() {
        return new TurnRequest(message, chatId, attachmentIds, agentId, model, "cancel", whenBusy);
    }

    /**
     * Waits while another turn of the chat runs; for {@link dev.satchel.client.Chats#sendOrQueue}.
     */
    public TurnRequest queuedWhenBusy() {
        return new TurnRequest(
                message, chatId, attachmentIds, agentId, model, onDisconnect, "queue");
    }

    /**
     * Is heard by the agent of a running turn, for {@link dev.satchel.client.Chats#sendOrQueue}. A
     * message with files, or one that is not heard before the turn ends, waits for its own turn.
     */
    public TurnRequest steeringWhenBusy() {
        return new TurnRequest(
                message, chatId, attachmentIds, agentId, model, onDisconnect, "steer");
    }
}
