package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of all model calls of a run, in numbers that do not overlap.
 *
 * @param costMicros the cost in millionths of a US dollar; null if a price is not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunUsage(
        long inputTokens,
        long outputTokens,
        long cacheReadTokens,
        long cacheWriteTokens,
        @Nullable Long costMicros) {
    public static final RunUsage NONE = new RunUsage(0, 0, 0, 0, null);

    public RunUsage {
        if (inputTokens < 0 || outputTokens < 0 || cacheReadTokens < 0 || cacheWriteTokens < 0) {
            throw new IllegalArgumentException("a number of tokens is negative");
        }
    }

    /** The sum with the tokens of one more call; its cost is not known. */
    public RunUsage plus(SandboxLine.Usage call) {
        return new RunUsage(
                inputTokens + call.inputTokens(),
                outputTokens + call.outputTokens(),
                cacheReadTokens + call.cacheReadTokens(),
                cacheWriteTokens + call.cacheWriteTokens(),
                null);
    }
}
