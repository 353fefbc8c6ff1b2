package dev.satchel.runner.agent;

import dev.satchel.protocol.RunUsage;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an agent, as the {@code result} line has it.
 *
 * @param stopped the reason why the agent ended before it was done
 * @param usage the tokens of all model calls; absent without a model
 */
public record AgentAnswer(String text, @Nullable String stopped, @Nullable RunUsage usage) {
    /** The answer of an agent that asked no model. */
    public static AgentAnswer withoutModel(String text) {
        return new AgentAnswer(text, null, null);
    }
}
