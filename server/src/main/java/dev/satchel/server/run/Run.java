package dev.satchel.server.run;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One sandbox execution, of a turn (with a conversation) or headless (with an agent). */
public record Run(
        RunId id,
        TenantId tenant,
        @Nullable ConversationId conversation,
        @Nullable String userMessageId,
        @Nullable String agentId,
        long generation,
        String prompt,
        RunSetup setup,
        List<String> bagFileIds,
        RunStatus status,
        String owner,
        long leaseUntil,
        long lastSeq,
        long startedAt,
        @Nullable Long endedAt) {

    public Run {
        bagFileIds = List.copyOf(bagFileIds);
    }
}
