package dev.satchel.http;

import dev.satchel.http.tracing.TraceContext;
import java.time.Duration;
import java.util.Optional;

/**
 * Called after every request. {@code route} is the path template, so that it can label a metric.
 */
@FunctionalInterface
public interface RequestObserver {
    void answered(String method, String route, int status, Duration duration);

    /**
     * The trace in which a request is handled and reported by {@link #answered}; empty when it is
     * not traced.
     *
     * @param traceparent the trace of the client, if its request has one
     */
    default Optional<TraceContext> trace(Optional<String> traceparent) {
        return Optional.empty();
    }
}
