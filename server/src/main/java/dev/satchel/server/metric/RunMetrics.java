package dev.satchel.server.metric;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunObserver;
import dev.satchel.server.run.RunStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Counts and times the runs of this server. A run is counted once, by the server that ends it.
 * Thread-safe.
 */
public final class RunMetrics implements RunObserver {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5)
    };

    private final MeterRegistry registry;

    /** When the runs were started that have not sent a line yet. */
    private final Map<RunId, Long> silent = new ConcurrentHashMap<>();

    private final BoundedLabels codes = new BoundedLabels();
    private final Timer queued;
    private final Timer sandbox;
    private final Timer firstLine;
    private final Counter parked;
    private final Counter lost;

    public RunMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.queued = timer("satchel.run.queue", "Time that a run has waited for its place");
        this.sandbox =
                timer("satchel.sandbox.start", "Time until a sandbox or runner has taken a run");
        this.firstLine =
                timer("satchel.run.first.event", "Time from the start of a run to its first line");
        // with 0: the rate of a series that begins with its first failure would miss that one
        Stream.of(RunStatus.values()).filter(it -> !it.isActive()).forEach(this::outcome);
        this.parked =
                Counter.builder("satchel.run.parked")
                        .description("Runs that have begun to wait for people")
                        .register(registry);
        this.lost =
                Counter.builder("satchel.run.leases.lost")
                        .description("Runs that another process took, since the lease was lost")
                        .register(registry);
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    @Override
    public void started(Run run, Duration waited) {
        silent.put(run.id(), System.nanoTime());
        if (run.attempt() == 1) {
            queued.record(waited);
        }
    }

    @Override
    public void dispatched(Run run, Duration duration) {
        sandbox.record(duration);
    }

    @Override
    public void line(Run run, SandboxLine line) {
        if (line instanceof SandboxLine.Log) {
            return; // people do not see it
        }
        Long start = silent.remove(run.id());
        if (start != null) {
            firstLine.record(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    @Override
    public void left(Run run) {
        silent.remove(run.id());
    }

    @Override
    public void leaseLost(Run run) {
        lost.increment();
    }

    @Override
    public void continued(Run run, String cause) {
        Counter.builder("satchel.run.continuations")
                .description("Runs that were continued, by the reason")
                .tag("cause", cause.toLowerCase(Locale.ROOT))
                .register(registry)
                .increment();
    }

    @Override
    public void parked(Run run) {
        parked.increment();
    }

    @Override
    public void ended(Run run, RunStatus status, String code) {
        outcome(status).increment();
        if (!code.isEmpty()) {
            Counter.builder("satchel.run.errors")
                    .description("Runs that have ended without an answer, by outcome and code")
                    .tag("outcome", status.wireName())
                    .tag("code", codes.of(code))
                    .register(registry)
                    .increment();
        }
    }

    private Counter outcome(RunStatus status) {
        return Counter.builder("satchel.runs")
                .description("Runs that have ended, by outcome")
                .tag("outcome", status.wireName())
                .register(registry);
    }
}
