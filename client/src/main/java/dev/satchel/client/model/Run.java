package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One execution in a sandbox, of a chat's turn or of an agent without a chat.
 *
 * @param agentId the agent of the run, and its version when the run started; null without one
 * @param attempt 1, and one more each time the run was continued
 */
public record Run(
        String id,
        @Nullable String chatId,
        @Nullable String messageId,
        @Nullable String agentId,
        @Nullable Long agentVersion,
        String status,
        int attempt,
        long lastSeq,
        Instant startedAt,
        @Nullable Instant endedAt) {}
