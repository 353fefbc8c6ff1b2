package dev.satchel.server.conversation;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import org.jspecify.annotations.Nullable;

/**
 * One thread, without its messages, or the workspace and files of one headless run; locked while
 * {@code activeRunId} is not null. {@code pendingRun} is the run whose files are in no snapshot
 * yet.
 */
public record Conversation(
        ConversationId id,
        TenantId tenant,
        UserId user,
        String type,
        @Nullable String title,
        @Nullable String workflowId,
        long messageCount,
        @Nullable MessageId activeMessageId,
        @Nullable RunId activeRunId,
        long generation,
        long createdAt,
        long updatedAt,
        @Nullable Long deletedAt,
        @Nullable RunId pendingRun) {

    public static final String TYPE = "assistant_sandbox";

    /** The type of the conversation of a headless run, which is no chat. */
    static final String TYPE_OF_RUN = "run";
}
