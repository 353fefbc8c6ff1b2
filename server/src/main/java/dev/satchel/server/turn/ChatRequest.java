package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.turn.TurnRequest.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/assistant/chat/stream}. */
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
        @Nullable String whenBusy) {

    private static final int MAX_WORKFLOW_ID = 128;

    ChatRequest {
        attachmentIds = attachmentIds == null ? List.of() : List.copyOf(attachmentIds);
        message = message == null && !attachmentIds.isEmpty() ? "" : message;
        Message.validate(message, attachmentIds.size());
        if (workflowId != null) {
            Fields.atMost("workflowId", workflowId, MAX_WORKFLOW_ID);
        }
        TurnRequest.messageId(userMessageId);
        AgentSelection _ = new AgentSelection(agentId, model);
        OnDisconnect.parse(onDisconnect, OnDisconnect.CANCEL);
        WhenBusy.parse(whenBusy);
    }

    TurnRequest turn(Caller caller) {
        requireOwnWorkspace(caller);
        return new TurnRequest(
                target(),
                Message.of(
                        TurnRequest.messageId(userMessageId),
                        message,
                        TurnRequest.attachments(attachmentIds)),
                new AgentSelection(agentId, model));
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
