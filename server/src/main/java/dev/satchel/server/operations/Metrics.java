package dev.satchel.server.operations;

import com.sun.management.OperatingSystemMXBean;
import dev.satchel.http.RequestObserver;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The metrics of the server; features register their meters in {@link #registry}. */
public final class Metrics implements RequestObserver, AutoCloseable {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double NANOS_PER_SECOND = 1e9;

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1)
    };

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collector = new JvmGcMetrics();
    private final List<Refresh> refreshes = new CopyOnWriteArrayList<>();

    public Metrics() {
        rename(); // before the first meter
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        processor();
        new UptimeMetrics().bindTo(registry);
        collector.bindTo(registry);
    }

    /** The linter of Prometheus rejects two names; {@link #processor} adds one as seconds. */
    private void rename() {
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(
                        new MeterFilter() {
                            @Override
                            public Meter.Id map(Meter.Id id) {
                                return id.getName().equals("system.cpu.count")
                                        ? id.withName("system.cpus")
                                        : id;
                            }
                        });
    }

    private void processor() {
        new ProcessorMetrics().bindTo(registry);
        FunctionCounter.builder(
                        "process.cpu",
                        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class),
                        system -> system.getProcessCpuTime() / NANOS_PER_SECOND)
                .description("Processor time of this process")
                .baseUnit("seconds")
                .register(registry);
    }

    public MeterRegistry registry() {
        return registry;
    }

    @Override
    public void answered(String method, String route, int status, Duration duration) {
        Timer.builder("http.server.request.duration")
                .description("Time from a request's head to the end of its handler")
                .tag("method", METHODS.contains(method) ? method : "other")
                .tag("route", route)
                .tag("status", Integer.toString(status))
                .serviceLevelObjectives(BUCKETS)
                .register(registry)
                .record(duration);
    }

    /** Calls the listener each time before the metrics are shown; it must return soon. */
    public void beforeScrape(Refresh listener) {
        refreshes.add(listener);
    }

    /** Reads values that are not counted as they change. */
    @FunctionalInterface
    public interface Refresh {
        void run() throws InterruptedException;
    }

    String scrape() throws InterruptedException {
        for (Refresh refresh : refreshes) {
            refresh.run();
        }
        return registry.scrape(CONTENT_TYPE);
    }

    @Override
    public void close() {
        collector.close();
        registry.close();
    }
}
