package dev.satchel.server.model;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The price of a model in US dollars for a million tokens, which is the price of one token in
 * micro-dollars.
 */
public record ModelPrice(
        BigDecimal input, BigDecimal output, BigDecimal cacheRead, BigDecimal cacheWrite) {

    /** The cost of one call in micro-dollars, rounded once. */
    public long costMicros(
            long inputTokens, long outputTokens, long cacheReadTokens, long cacheWriteTokens) {
        BigDecimal cost =
                input.multiply(BigDecimal.valueOf(inputTokens))
                        .add(output.multiply(BigDecimal.valueOf(outputTokens)))
                        .add(cacheRead.multiply(BigDecimal.valueOf(cacheReadTokens)))
                        .add(cacheWrite.multiply(BigDecimal.valueOf(cacheWriteTokens)));
        return cost.setScale(0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }
}
