package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One thread with its files. {@code activeRun} is told when one chat is read, not in lists. {@code
 * workspace} is {@code pending} while its newest files are not saved.
 */
public record Chat(
        String id,
        String workspaceId,
        @Nullable String title,
        @Nullable String conversationId,
        @Nullable ActiveRun activeRun,
        long messageCount,
        boolean pinned,
        boolean archived,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String workspace,
        JsonNode json)
        implements ServerObject {

    /** The run that is answering right now. */
    public record ActiveRun(String id, long lastSeq) {}

    public boolean isBusy() {
        return conversationId != null;
    }
}
