package dev.satchel.client.model;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The messages of a chat that wait, in the order of their turns.
 *
 * @param paused whether the queue waits until it is resumed or a message is sent
 */
public record MessageQueue(List<QueuedMessage> messages, boolean paused, JsonNode json)
        implements ServerObject {

    public MessageQueue {
        messages = List.copyOf(messages);
    }
}
