package dev.satchel.runner.model.stream;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A provider answered with an error, as a status or as an event of its stream. */
public final class ProviderErrorException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String body;
    private final transient @Nullable Duration retryAfter;

    /**
     * @param status the HTTP status; 0 for an error in a stream that has none
     * @param retryAfter how long the provider asks to wait, if it does
     */
    public ProviderErrorException(int status, String body, @Nullable Duration retryAfter) {
        super("the provider answered " + status);
        this.status = status;
        this.body = body;
        this.retryAfter = retryAfter;
    }

    public int status() {
        return status;
    }

    public String body() {
        return body;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
