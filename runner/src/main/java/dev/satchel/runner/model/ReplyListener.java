package dev.satchel.runner.model;

import java.io.IOException;
import java.time.Duration;

/** Hears of a reply while the model writes it. An exception ends the call and is thrown by it. */
@FunctionalInterface
public interface ReplyListener {
    /** A piece of the answer. */
    void text(String piece) throws IOException;

    /** A piece of what the model thinks, which is not part of the answer. */
    default void thinking(String piece) throws IOException {}

    /**
     * The call failed and is repeated after a wait. All text and thinking that this call has sent
     * so far is withdrawn.
     *
     * @param attempt the number of the try that failed, from 1
     * @param error why it failed
     * @param model the id or name of the model that is asked next, which may be a fallback
     */
    default void retry(int attempt, Duration delay, ModelException error, String model)
            throws IOException {}

    /** The tokens that the provider counted, once for each request that it answered. */
    default void usage(TokenUsage usage) throws IOException {}
}
