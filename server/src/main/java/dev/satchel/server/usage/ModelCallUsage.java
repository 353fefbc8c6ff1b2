package dev.satchel.server.usage;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationId;
import org.jspecify.annotations.Nullable;

/**
 * One call of a model by a run. Together with the run and the number of its line in the log it is
 * one row.
 *
 * @param model the id in the registry, or the name that the runner gave
 * @param costMicros micro-dollars; null when the model has no price
 */
public record ModelCallUsage(
        TenantId tenant,
        ConversationId conversation,
        @Nullable AgentId agent,
        String model,
        TokenCounts tokens,
        @Nullable Long costMicros,
        long at) {}
