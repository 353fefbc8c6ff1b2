package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A chat with a page of its messages, oldest first; the cursor leads to the page before, and is
 * null when the thread begins here.
 */
public record ChatThread(
        String id,
        String workspaceId,
        @Nullable String title,
        @Nullable String conversationId,
        Chat.@Nullable ActiveRun activeRun,
        long messageCount,
        Instant createdAt,
        Instant updatedAt,
        List<Message> messages,
        @Nullable String nextCursor,
        JsonNode json)
        implements ServerObject {

    public ChatThread {
        messages = List.copyOf(messages);
    }
}
