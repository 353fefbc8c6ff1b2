package dev.satchel.runner.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A reply of a model.
 *
 * @param text the answer without thinking
 * @param cut whether the reply reached the token limit; its last call may then be incomplete
 * @param usage absent when the provider counted nothing
 * @param original the reply as the provider wants it back; absent for a reply that was put together
 *     here
 */
public record ModelReply(
        String text,
        List<Call> calls,
        boolean cut,
        @Nullable TokenUsage usage,
        @Nullable Original original) {
    public ModelReply {
        calls = List.copyOf(calls);
    }

    public ModelReply(String text, List<Call> calls, boolean cut) {
        this(text, calls, cut, null, null);
    }

    /** The same text without its calls, for calls that were cut and cannot be run. */
    public ModelReply withoutCalls() {
        return calls.isEmpty() ? this : new ModelReply(text, List.of(), cut, usage, null);
    }

    /** A tool call; the arguments need not be valid JSON. */
    public record Call(String id, String tool, String arguments) {}

    /**
     * The content of a reply in the format of its provider, with signatures of what it thought.
     * Only the same model accepts it.
     */
    public record Original(String model, JsonNode content) {}
}
