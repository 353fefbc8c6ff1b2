package dev.satchel.server.tracing;

import dev.satchel.http.RequestObserver;
import dev.satchel.http.tracing.TraceContext;
import dev.satchel.server.run.RunObserver;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The spans of this server, from their beginning to the collector. Thread-safe. */
public final class Tracing implements AutoCloseable {
    private static final int SERVER_ERROR = 500;

    private final SpanExporter exporter;
    private final Clock clock;
    private final RunSpans runs;

    public Tracing(TracingSettings settings, String version, Clock clock, MeterRegistry registry) {
        this.exporter = new SpanExporter(settings, version);
        this.clock = clock;
        this.runs = new RunSpans(exporter, clock);
        FunctionCounter.builder("satchel.spans.dropped", exporter, SpanExporter::dropped)
                .description("Spans that did not reach the collector")
                .register(registry);
    }

    /** Makes the spans of runs. */
    public RunObserver runs() {
        return runs;
    }

    /** Makes the spans of requests, and tells another observer of each. */
    public RequestObserver requests(RequestObserver other) {
        return new RequestObserver() {
            @Override
            public Optional<TraceContext> trace(Optional<String> traceparent) {
                return Optional.of(
                        traceparent
                                .flatMap(TraceContext::parse)
                                .map(TraceContext::child)
                                .orElseGet(TraceContext::begin));
            }

            @Override
            public void answered(String method, String route, int status, Duration duration) {
                other.answered(method, route, status, duration);
                TraceContext.current()
                        .ifPresent(
                                it -> exporter.add(request(it, method, route, status, duration)));
            }
        };
    }

    private Span request(
            TraceContext context, String method, String route, int status, Duration duration) {
        return Span.ended(
                context,
                Span.Kind.SERVER,
                method + " " + route,
                clock.instant(),
                duration,
                Map.of(
                        "http.request.method",
                        method,
                        "http.route",
                        route,
                        "http.response.status_code",
                        status),
                status < SERVER_ERROR ? null : Integer.toString(status));
    }

    @Override
    public void close() {
        exporter.close();
    }
}
