package dev.satchel.server.run;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import org.jspecify.annotations.Nullable;

/**
 * One execution in a sandbox: of a turn, or headless. A headless run has an agent and a
 * conversation of its own, with the run's id, which is no chat.
 *
 * @param attempt counts from 1; a run that is continued has the next one and the next generation
 * @param firstGeneration that of the first attempt: it orders the runs of a conversation
 */
public record Run(
        RunId id,
        TenantId tenant,
        ConversationId conversation,
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
        @Nullable Long endedAt,
        int attempt,
        long firstGeneration) {

    /** In its first attempt. */
    public Run(
            RunId id,
            TenantId tenant,
            ConversationId conversation,
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
            @Nullable Long endedAt) {
        this(
                id,
                tenant,
                conversation,
                userMessageId,
                agentId,
                generation,
                prompt,
                setup,
                status,
                owner,
                leaseUntil,
                lastSeq,
                startedAt,
                endedAt,
                1,
                generation);
    }

    /**
     * Whether its runner keeps a journal, if it can. A run without a model executes the commands of
     * its message, and a command only itself.
     */
    public boolean isJournaled() {
        return setup.model() != null && setup.command() == null;
    }

    public boolean isHeadless() {
        return conversation.value().equals(id.value());
    }

    /** The chat of the run; null when it is headless. */
    public @Nullable ConversationId chat() {
        return isHeadless() ? null : conversation;
    }
}
