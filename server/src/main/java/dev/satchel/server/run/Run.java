package dev.satchel.server.run;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import org.jspecify.annotations.Nullable;

/** One execution in a sandbox: of a turn (with a conversation) or headless (with an agent). */
public record Run(
        RunId id,
        TenantId tenant,
        @Nullable ConversationId conversation,
        @Nullable MessageId userMessageId,
        @Nullable AgentId agentId,
        long generation,
        String prompt,
        RunSetup setup,
        RunStatus status,
        ServerProcessId owner,
        long leaseUntil,
        long lastSeq,
        long startedAt,
        @Nullable Long endedAt) {}
