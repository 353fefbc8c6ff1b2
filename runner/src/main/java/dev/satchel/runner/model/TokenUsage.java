package dev.satchel.runner.model;

/**
 * The tokens of one call as the provider counted them. The four numbers do not overlap: the tokens
 * of a request are {@code input}, {@code cacheRead} and {@code cacheWrite} together.
 *
 * @param model the id of the model in the registry, else its name; that of the fallback if it
 *     answered
 * @param provider the name of the provider
 */
public record TokenUsage(
        String model, String provider, long input, long output, long cacheRead, long cacheWrite) {
    /** The tokens of the request and its reply, which fill the context. */
    public long total() {
        return input + output + cacheRead + cacheWrite;
    }
}
