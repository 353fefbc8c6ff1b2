package dev.satchel.server.conversation;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import org.jspecify.annotations.Nullable;

/**
 * One thread, without its messages, or the workspace and files of one headless run; locked while
 * {@code activeRunId} is not null. {@code pendingRun} is the run whose files are in no snapshot
 * yet.
 *
 * @param lastSeq the number of the last message, of whatever branch
 * @param headSeq the last message of the active path; 0 before the first message
 * @param messageCount how many messages the active path has
 */
public record Conversation(
        ConversationId id,
        TenantId tenant,
        UserId user,
        String type,
        @Nullable String title,
        @Nullable String workflowId,
        long lastSeq,
        long headSeq,
        long messageCount,
        @Nullable MessageId activeMessageId,
        @Nullable RunId activeRunId,
        long generation,
        long createdAt,
        long updatedAt,
        @Nullable Long deletedAt,
        @Nullable RunId pendingRun,
        boolean isPinned,
        boolean isArchived) {

    public static final String TYPE = "assistant_sandbox";

    /** The type of the conversation of a headless run, which is no chat. */
    static final String TYPE_OF_RUN = "run";

    /** Whether nobody has used it since a time, so that it may expire. */
    public boolean isUnusedSince(long time) {
        return updatedAt < time && activeRunId == null && deletedAt == null && !isPinned;
    }

    /** Whether every message is on the active path, so that each follows the one before. */
    boolean isLinear() {
        return messageCount == lastSeq;
    }
}
