package dev.satchel.server.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** A run on the wire. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record RunView(
        String id,
        @Nullable String chatId,
        @Nullable String messageId,
        @Nullable String agentId,
        String status,
        long lastSeq,
        long startedAt,
        @Nullable Long endedAt) {

    public static RunView of(Run run) {
        return new RunView(
                run.id().value(),
                run.conversation() == null ? null : run.conversation().value(),
                run.userMessageId(),
                run.agentId(),
                run.status().wireName(),
                run.lastSeq(),
                run.startedAt(),
                run.endedAt());
    }
}
