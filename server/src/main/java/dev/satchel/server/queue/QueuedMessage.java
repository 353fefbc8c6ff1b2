package dev.satchel.server.queue;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.agent.AgentChoice;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.file.FileId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits for its turn, with everything that the turn needs.
 *
 * @param run the id of the run that the turn will have, so that it starts at most once
 * @param choice the agent and the model of the turn, as they were when the message was sent
 * @param paused whether it waits until a person goes on
 * @param steerRun the run that shall hear the message while it runs; null for a turn of its own
 * @param problem why its turn was refused when it was due; null if it was not
 */
public record QueuedMessage(
        TenantId tenant,
        UserId user,
        ConversationId conversation,
        MessageId id,
        RunId run,
        String text,
        List<FileId> attachments,
        AgentChoice choice,
        boolean paused,
        @Nullable String problem,
        @Nullable RunId steerRun,
        long createdAt) {

    public QueuedMessage {
        attachments = List.copyOf(attachments);
    }
}
