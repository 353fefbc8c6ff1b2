package dev.satchel.client;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** One execution in a sandbox, of a chat's turn or of an agent without a chat. */
public record Run(
        String id,
        @Nullable String chatId,
        @Nullable String messageId,
        @Nullable String agentId,
        String status,
        long lastSeq,
        Instant startedAt,
        @Nullable Instant endedAt) {}
