package dev.satchel.server.session;

import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.SessionTimestamps;
import org.jspecify.annotations.Nullable;

/** A session as JSON; its id is also that of the sandbox, which exists for one turn only. */
record SessionView(
        String id,
        String tenantId,
        String agentName,
        String sandboxId,
        String status,
        @Nullable String model,
        @Nullable String runnerId,
        @Nullable String parentSessionId,
        String createdAt,
        String lastActiveAt) {

    static SessionView of(Session session) {
        Conversation conversation = session.conversation();
        ConversationId parent = session.parentId();
        return new SessionView(
                conversation.id().value(),
                conversation.tenant().value(),
                session.agentName(),
                conversation.id().value(),
                session.status().wireName(),
                session.model(),
                null,
                parent == null ? null : parent.value(),
                SessionTimestamps.ofMillis(conversation.createdAt()),
                SessionTimestamps.ofMillis(conversation.updatedAt()));
    }
}
