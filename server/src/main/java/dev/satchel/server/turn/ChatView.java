package dev.satchel.server.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.paging.PageCursor;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentReference;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.run.Run;
import dev.satchel.server.usage.UsageSum;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chat as JSON. {@code conversationId}, as the protocol has it, is not the id of the chat: it is
 * the id of the user message of the turn in progress, which locks the chat; null when it is free.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ChatView(
        String id,
        String type,
        String workspaceId,
        @Nullable String workflowId,
        @Nullable String title,
        @Nullable String conversationId,
        @Nullable ActiveRun activeRun,
        long messageCount,
        boolean pinned,
        boolean archived,
        long createdAt,
        long updatedAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String workspace) {

    /** {@code status} is {@code running}, or {@code waiting} for people. */
    record ActiveRun(String id, long lastSeq, String status) {
        static ActiveRun of(Run run) {
            return new ActiveRun(run.id().value(), run.lastSeq(), run.status().wireName());
        }
    }

    static ChatView of(Conversation chat, @Nullable Run active) {
        MessageId message = chat.activeMessageId();
        return new ChatView(
                chat.id().value(),
                chat.type(),
                chat.tenant().value(),
                chat.workflowId(),
                chat.title(),
                message == null ? null : message.value(),
                active == null ? null : ActiveRun.of(active),
                chat.messageCount(),
                chat.isPinned(),
                chat.isArchived(),
                chat.createdAt(),
                chat.updatedAt(),
                chat.pendingRun() == null ? null : PersistedMessage.PENDING);
    }

    record Page(List<ChatView> chats, @Nullable String nextCursor) {
        static Page of(List<Conversation> chats, int limit) {
            return new Page(
                    chats.stream().map(chat -> ChatView.of(chat, null)).toList(),
                    chats.size() < limit ? null : after(chats.getLast()).text());
        }

        private static PageCursor after(Conversation last) {
            return new PageCursor(last.updatedAt(), last.id().value());
        }
    }

    /**
     * With a page of its messages, oldest first; {@code nextCursor} is that of the older page. The
     * chat has chosen {@code agentId} and {@code model}, and {@code agent} answers next.
     */
    record WithMessages(
            String id,
            String type,
            String workspaceId,
            @Nullable String workflowId,
            @Nullable String title,
            @Nullable String conversationId,
            @Nullable ActiveRun activeRun,
            long messageCount,
            boolean pinned,
            boolean archived,
            long createdAt,
            long updatedAt,
            UsageSum usage,
            int queued,
            @Nullable String agentId,
            @Nullable String model,
            @Nullable AgentReference agent,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String agentNotice,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String workspace,
            List<PersistedMessage> messages,
            @Nullable String nextCursor) {

        static WithMessages of(ChatService.ThreadPage thread, UsageSum usage) {
            ChatView chat = ChatView.of(thread.conversation(), thread.activeRun().orElse(null));
            Long older = thread.olderBefore();
            ChatAgents.Selected selected = thread.selected();
            AgentId chosen = selected.choice().agent();
            return new WithMessages(
                    chat.id,
                    chat.type,
                    chat.workspaceId,
                    chat.workflowId,
                    chat.title,
                    chat.conversationId,
                    chat.activeRun,
                    chat.messageCount,
                    chat.pinned,
                    chat.archived,
                    chat.createdAt,
                    chat.updatedAt,
                    usage,
                    thread.queued(),
                    chosen == null ? null : chosen.value(),
                    selected.choice().model(),
                    selected.agent(),
                    selected.notice(),
                    chat.workspace,
                    thread.messages(),
                    older == null ? null : older.toString());
        }
    }
}
