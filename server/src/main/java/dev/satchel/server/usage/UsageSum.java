package dev.satchel.server.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The sum of several calls.
 *
 * @param costMicros micro-dollars of the calls that have a price; null when none has
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record UsageSum(
        long calls,
        long inputTokens,
        long outputTokens,
        long cacheReadTokens,
        long cacheWriteTokens,
        @Nullable Long costMicros) {}
