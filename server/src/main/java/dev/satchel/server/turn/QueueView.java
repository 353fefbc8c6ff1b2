package dev.satchel.server.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.queue.QueuedMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a chat as JSON, in the order of the turns.
 *
 * @param paused whether it waits until a person goes on
 */
record QueueView(List<Item> messages, boolean paused) {

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Item(
            String messageId,
            String message,
            List<FileAttachment> fileAttachments,
            @Nullable String agentId,
            @Nullable String model,
            @Nullable String problem,
            @Nullable Boolean steering,
            long createdAt) {

        private static Item of(MessageQueue.Entry entry) {
            QueuedMessage message = entry.message();
            AgentId agent = message.choice().agent();
            return new Item(
                    message.id().value(),
                    message.text(),
                    entry.attachments(),
                    agent == null ? null : agent.value(),
                    message.choice().model(),
                    message.problem(),
                    message.steerRun() == null ? null : true,
                    message.createdAt());
        }
    }

    /** The answer to a message that waits now. */
    record Accepted(boolean queued, String messageId, int position) {
        static Accepted of(QueuedTurns.Sent.Queued sent) {
            return new Accepted(true, sent.message().id().value(), sent.position());
        }
    }

    static QueueView of(List<MessageQueue.Entry> entries) {
        return new QueueView(
                entries.stream().map(Item::of).toList(),
                !entries.isEmpty() && entries.getFirst().message().paused());
    }
}
