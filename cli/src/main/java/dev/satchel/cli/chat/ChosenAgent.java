package dev.satchel.cli.chat;

import dev.satchel.client.model.TurnRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the messages of a terminal name.
 *
 * @param agentId the id of an agent, or {@code default}; null for the agent that the chat has
 * @param model the id of a model; null for the model that the chat has
 */
record ChosenAgent(@Nullable String agentId, @Nullable String model) {
    static final String DEFAULT = "default";

    TurnRequest in(TurnRequest message) {
        return message.withAgent(agentId).withModel(model);
    }

    ChosenAgent with(String agent) {
        return new ChosenAgent(agent, model);
    }
}
