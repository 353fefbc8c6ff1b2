package dev.satchel.client.model;

import org.jspecify.annotations.Nullable;

/**
 * The tokens of all model calls of a run; the four numbers do not overlap. The cost is in
 * millionths of a US dollar and absent if a price is not known.
 */
public record RunUsage(
        long inputTokens,
        long outputTokens,
        long cacheReadTokens,
        long cacheWriteTokens,
        @Nullable Long costMicros) {}
