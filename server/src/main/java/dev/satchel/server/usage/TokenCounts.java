package dev.satchel.server.usage;

import dev.satchel.protocol.SandboxLine;

/** Tokens by kind; no token counts twice. */
public record TokenCounts(long input, long output, long cacheRead, long cacheWrite) {
    static TokenCounts of(SandboxLine.Usage line) {
        return new TokenCounts(
                line.inputTokens(),
                line.outputTokens(),
                line.cacheReadTokens(),
                line.cacheWriteTokens());
    }
}
