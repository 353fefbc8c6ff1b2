package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.turn.TurnRequest.Place;
import dev.satchel.server.turn.TurnRequest.Regeneration;
import dev.satchel.server.turn.TurnRequest.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of {@code POST /api/assistant/chat/stream}.
 *
 * @param parentMessageId absent for the head; JSON null for a new first message
 * @param regenerate whether the message {@code userMessageId} is answered again
 */
record ChatRequest(
        String message,
        @Nullable String chatId,
        @Nullable String workspaceId,
        @Nullable String workflowId,
        List<String> attachmentIds,
        @Nullable String userMessageId,
        @Nullable String agentId,
        @Nullable String model,
        @Nullable String onDisconnect,
        @Nullable String whenBusy,
        @Nullable JsonNode parentMessageId,
        @Nullable Boolean regenerate) {

    private static final int MAX_WORKFLOW_ID = 128;

    ChatRequest {
        attachmentIds = attachmentIds == null ? List.of() : List.copyOf(attachmentIds);
        if (Boolean.TRUE.equals(regenerate)) {
            requireOnlyId(message, attachmentIds, userMessageId, parentMessageId);
            Fields.required("chatId", chatId);
            message = "";
        } else {
            message = message == null && !attachmentIds.isEmpty() ? "" : message;
            Message.validate(message, attachmentIds.size());
        }
        if (parentMessageId != null && !parentMessageId.isNull() && !parentMessageId.isString()) {
            throw Fields.invalid("parentMessageId", "must be the id of a message, or null");
        }
        if (workflowId != null) {
            Fields.atMost("workflowId", workflowId, MAX_WORKFLOW_ID);
        }
        TurnRequest.messageId(userMessageId);
        AgentSelection _ = new AgentSelection(agentId, model);
        OnDisconnect.parse(onDisconnect, OnDisconnect.CANCEL);
        WhenBusy.parse(whenBusy);
    }

    /** What is answered again is the message as it was sent. */
    private static void requireOnlyId(
            @Nullable String message,
            List<String> attachments,
            @Nullable String id,
            @Nullable JsonNode parent) {
        Fields.required("userMessageId", id);
        if (message != null || !attachments.isEmpty() || parent != null) {
            throw Fields.invalid(
                    "regenerate",
                    "answers a message as it is: without message, attachmentIds and"
                            + " parentMessageId");
        }
    }

    TurnRequest turn(Caller caller) {
        requireOwnWorkspace(caller);
        if (Boolean.TRUE.equals(regenerate)) {
            return new TurnRequest(
                    target(),
                    new Regeneration(known(userMessageId)),
                    new AgentSelection(agentId, model));
        }
        return new TurnRequest(
                target(),
                place(),
                Message.of(
                        TurnRequest.messageId(userMessageId),
                        message,
                        TurnRequest.attachments(attachmentIds)),
                new AgentSelection(agentId, model));
    }

    private Place place() {
        if (parentMessageId == null) {
            return new Place.AfterHead();
        }
        return parentMessageId.isNull()
                ? new Place.First()
                : new Place.After(known(parentMessageId.stringValue()));
    }

    /** An id that is not well-formed is answered like an unknown one. */
    private static MessageId known(@Nullable String id) {
        if (id == null || !MessageId.isValid(id)) {
            throw ChatErrors.noSuchMessage();
        }
        return new MessageId(id);
    }

    WhenBusy busy() {
        return WhenBusy.parse(whenBusy);
    }

    OnDisconnect onDisconnect(boolean canReconnect) {
        return OnDisconnect.parse(onDisconnect, OnDisconnect.usual(canReconnect));
    }

    private Target target() {
        if (chatId == null) {
            return new Target.NewConversation(workflowId);
        }
        if (!ConversationId.isValid(chatId)) {
            throw ChatErrors.noSuchChat();
        }
        return new Target.Existing(new ConversationId(chatId));
    }

    /** Clients may name their workspace; the name of another tenant's workspace is refused. */
    private void requireOwnWorkspace(Caller caller) {
        if (workspaceId != null && !workspaceId.equals(caller.tenant().value())) {
            throw ChatErrors.noSuchChat();
        }
    }
}
