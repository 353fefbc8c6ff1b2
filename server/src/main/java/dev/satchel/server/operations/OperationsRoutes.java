package dev.satchel.server.operations;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** The routes for orchestrators and monitors. They need no credential and show no secret. */
public final class OperationsRoutes {
    private static final int EVENTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final Readiness readiness;
    private final Metrics metrics;
    private final String version;
    private final IntSupplier runs;
    private final Clock clock;
    private final Instant startedAt;

    public OperationsRoutes(
            Readiness readiness, Metrics metrics, String version, IntSupplier runs, Clock clock) {
        this.readiness = readiness;
        this.metrics = metrics;
        this.version = version;
        this.runs = runs;
        this.clock = clock;
        this.startedAt = clock.instant();
    }

    public void addTo(Router router) {
        router.get("/livez", this::live);
        router.get("/readyz", this::ready);
        router.get("/health", this::health);
        router.get("/health/stream", this::stream);
        router.get("/metrics", this::metrics);
    }

    record Live(String status) {}

    record Ready(String status, Map<String, String> dependencies) {}

    /** Checks no dependency, so that a slow database does not cause a restart. */
    private void live(Exchange exchange) {
        exchange.json(200, new Live("ok"));
    }

    private void ready(Exchange exchange) throws InterruptedException {
        Readiness.Report report = readiness.check();
        exchange.json(report.httpStatus(), new Ready(report.status(), report.words()));
    }

    private void health(Exchange exchange) throws InterruptedException {
        Readiness.Report report = readiness.check();
        long uptime = Duration.between(startedAt, clock.instant()).toSeconds();
        int running = runs.getAsInt();
        exchange.json(
                report.httpStatus(),
                Health.of(report.status(), version, uptime, report.words(), running));
    }

    /** A client that receives all events at once is behind a proxy that buffers. */
    private void stream(Exchange exchange) throws IOException, InterruptedException {
        try (EventStream events = exchange.events()) {
            for (int number = 1; number < EVENTS; number++) {
                events.send(List.of(new EventStream.Event(Integer.toString(number), "{}")));
                Thread.sleep(PAUSE);
            }
            events.send(List.of(new EventStream.Event(Integer.toString(EVENTS), "{}")));
        }
    }

    private void metrics(Exchange exchange) throws InterruptedException {
        byte[] page = metrics.scrape().getBytes(StandardCharsets.UTF_8);
        exchange.body(200, Metrics.CONTENT_TYPE, page);
    }
}
