package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/assistant/chat/stream}. */
public record TurnRequest(
        String message,
        @Nullable String chatId,
        @Nullable String workspaceId,
        @Nullable String workflowId,
        List<String> attachmentIds,
        @Nullable String userMessageId,
        @Nullable String onDisconnect) {

    private static final int MAX_MESSAGE = 256 * 1024;
    private static final int MAX_ATTACHMENTS = 100;
    private static final int MAX_WORKFLOW_ID = 128;

    public TurnRequest {
        Fields.text("message", message, MAX_MESSAGE);
        attachmentIds = attachmentIds == null ? List.of() : List.copyOf(attachmentIds);
        if (attachmentIds.size() > MAX_ATTACHMENTS) {
            throw Fields.invalid("attachmentIds", "has more than " + MAX_ATTACHMENTS + " ids");
        }
        if (workflowId != null) {
            Fields.atMost("workflowId", workflowId, MAX_WORKFLOW_ID);
        }
        if (userMessageId != null && !MessageId.isValid(userMessageId)) {
            throw Fields.invalid(
                    "userMessageId", "must be 1 to 128 letters, digits or any of . _ : -");
        }
        if (onDisconnect != null && !List.of("cancel", "continue").contains(onDisconnect)) {
            throw Fields.invalid("onDisconnect", "must be cancel or continue");
        }
    }

    /** Empty for the first turn of a new conversation. */
    Optional<ConversationId> conversation() {
        if (chatId == null) {
            return Optional.empty();
        }
        if (!ConversationId.isValid(chatId)) {
            throw ChatErrors.noSuchChat();
        }
        return Optional.of(new ConversationId(chatId));
    }

    MessageId messageId() {
        return userMessageId == null ? MessageId.random() : new MessageId(userMessageId);
    }

    /** An id that cannot be one is as unknown as any other. */
    List<FileId> attachments() {
        return attachmentIds.stream()
                .distinct()
                .map(
                        id -> {
                            if (!FileId.isValid(id)) {
                                throw ChatErrors.unknownAttachment(id);
                            }
                            return new FileId(id);
                        })
                .toList();
    }

    /** Who names a request so that it can be sent again means to come back. */
    boolean cancelsOnDisconnect(boolean mayComeBack) {
        return onDisconnect == null ? !mayComeBack : onDisconnect.equals("cancel");
    }
}
