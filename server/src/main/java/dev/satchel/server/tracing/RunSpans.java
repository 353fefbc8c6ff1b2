package dev.satchel.server.tracing;

import dev.satchel.http.tracing.TraceContext;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunObserver;
import dev.satchel.server.run.RunStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Makes spans of the attempts of runs, of their calls of models and tools, and of their snapshots.
 * They belong to the trace of the request that has started the run, also after a restart.
 */
final class RunSpans implements RunObserver {
    private final SpanExporter exporter;
    private final Clock clock;
    private final Map<RunId, AttemptSpans> attempts = new ConcurrentHashMap<>();

    RunSpans(SpanExporter exporter, Clock clock) {
        this.exporter = exporter;
        this.clock = clock;
    }

    @Override
    public Optional<String> traceparent(Run run) {
        return Optional.of(context(run).header());
    }

    /** The same on every server, so that no span has to be found again. */
    private static TraceContext context(Run run) {
        String given = run.setup().traceparent();
        String id = run.id().value().replace("-", "");
        String span = spanId(run);
        return Optional.ofNullable(given)
                .flatMap(TraceContext::parse)
                .map(parent -> parent.child(span))
                .orElseGet(() -> new TraceContext(id, span, null, true));
    }

    private static String spanId(Run run) {
        long bits = run.id().value().hashCode() * 0x9E3779B97F4A7C15L + run.generation();
        return "%016x".formatted(bits == 0 ? 1 : bits);
    }

    @Override
    public void started(Run run, Duration waited) {
        attempts.put(run.id(), new AttemptSpans(run, context(run), clock, waited));
    }

    @Override
    public void line(Run run, SandboxLine line) {
        with(run, attempt -> attempt.line(line).ifPresent(exporter::add));
    }

    @Override
    public void saved(Run run, Duration duration, boolean isKept) {
        with(run, attempt -> exporter.add(attempt.snapshot(duration, isKept)));
    }

    @Override
    public void leaseLost(Run run) {
        with(run, attempt -> attempt.end("lease_lost", "lease_lost"));
    }

    @Override
    public void parked(Run run) {
        with(run, attempt -> attempt.end("parked", null));
    }

    @Override
    public void ended(Run run, RunStatus status, String code) {
        boolean isError = status != RunStatus.SUCCEEDED && status != RunStatus.CANCELLED;
        with(run, attempt -> attempt.end(status.wireName(), isError ? code : null));
    }

    @Override
    public void left(Run run) {
        AttemptSpans attempt = attempts.remove(run.id());
        if (attempt != null) {
            attempt.unfinished().forEach(exporter::add);
            exporter.add(attempt.whole());
        }
    }

    private void with(Run run, Consumer<AttemptSpans> work) {
        AttemptSpans attempt = attempts.get(run.id());
        if (attempt != null && attempt.isOf(run)) {
            work.accept(attempt);
        }
    }
}
