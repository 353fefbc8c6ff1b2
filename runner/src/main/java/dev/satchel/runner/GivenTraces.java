package dev.satchel.runner;

import dev.satchel.http.RequestObserver;
import dev.satchel.http.tracing.TraceContext;
import java.time.Duration;
import java.util.Optional;

/** Passes the trace of a dispatch on. The server makes the spans, of the lines of the run. */
final class GivenTraces implements RequestObserver {
    @Override
    public Optional<TraceContext> trace(Optional<String> traceparent) {
        return traceparent.flatMap(TraceContext::parse);
    }

    @Override
    public void answered(String method, String route, int status, Duration duration) {}
}
