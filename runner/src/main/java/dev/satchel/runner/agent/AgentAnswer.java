package dev.satchel.runner.agent;

import org.jspecify.annotations.Nullable;

/**
 * The answer of an agent. {@code stopped} is the reason why the agent ended before it was done, a
 * value of {@code stopped} of the {@code result} line.
 */
public record AgentAnswer(String text, @Nullable String stopped) {
    public static AgentAnswer complete(String text) {
        return new AgentAnswer(text, null);
    }
}
