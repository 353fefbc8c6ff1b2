package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A chat with a page of its messages, oldest first; the cursor leads to the page before, and is
 * null when the thread begins here.
 *
 * @param agentId the agent that the chat has chosen; null for the default
 * @param model the model that the chat has chosen; null for that of the agent
 * @param agent the one that answers next; null without a saved agent
 * @param agentNotice why another agent or model answers than the chat has chosen; null if not
 */
public record ChatThread(
        String id,
        String workspaceId,
        @Nullable String title,
        @Nullable String conversationId,
        Chat.@Nullable ActiveRun activeRun,
        @Nullable String agentId,
        @Nullable String model,
        @Nullable AnsweringAgent agent,
        @Nullable String agentNotice,
        long messageCount,
        Instant createdAt,
        Instant updatedAt,
        List<Message> messages,
        @Nullable String nextCursor,
        JsonNode json)
        implements ServerObject {

    /** An agent in one of its versions. */
    public record AnsweringAgent(String id, String name, long version) {}

    public ChatThread {
        messages = List.copyOf(messages);
    }
}
