package dev.satchel.server.agent;

import org.jspecify.annotations.Nullable;

/**
 * The agent and the model that a chat has chosen.
 *
 * @param agent null for that of the session, or the default agent
 * @param model the id of a model of the registry; null for that of the agent
 */
public record AgentChoice(@Nullable AgentId agent, @Nullable String model) {
    /** Nothing is chosen. */
    public static final AgentChoice NONE = new AgentChoice(null, null);
}
