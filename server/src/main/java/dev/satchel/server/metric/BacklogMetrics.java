package dev.satchel.server.metric;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.metric.BacklogStore.TenantBytes;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of what the database knows: the runs of all servers by state, what waits to be saved or
 * erased, and the tenants that store most. They are read when somebody asks for metrics, at most
 * every few seconds, and a database that does not answer delays no metric for long. Thread-safe.
 */
public final class BacklogMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(BacklogMetrics.class);
    private static final Duration VALIDITY = Duration.ofSeconds(5);
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final Database database;
    private final Clock clock;
    private final int tenants;
    private final BacklogStore store = new BacklogStore();
    private final MultiGauge storage;
    private volatile @Nullable Backlog current; // null when it could not be read
    private @Nullable Thread reading; // guarded by this, like the one below
    private long readNanos = System.nanoTime() - VALIDITY.toNanos();

    private record Backlog(
            long running,
            long queued,
            long parked,
            long erasures,
            long erasureAgeMillis,
            long pendingSnapshots) {}

    /** {@code tenants} is how many of those that store most are shown. */
    public BacklogMetrics(Database database, Clock clock, int tenants, MeterRegistry registry) {
        this.database = database;
        this.clock = clock;
        this.tenants = tenants;
        runs(registry, "running", Backlog::running);
        runs(registry, "waiting", Backlog::queued);
        runs(registry, "parked", Backlog::parked);
        gauge("satchel.erasure.backlog", Backlog::erasures)
                .description("Objects that are to be deleted, counted up to 100000")
                .register(registry);
        gauge("satchel.erasure.oldest", backlog -> backlog.erasureAgeMillis() / 1e3)
                .description("Age of the oldest object that is to be deleted")
                .baseUnit("seconds")
                .register(registry);
        gauge("satchel.snapshots.pending", Backlog::pendingSnapshots)
                .description("Workspaces whose newest files are in no snapshot")
                .register(registry);
        this.storage =
                MultiGauge.builder("satchel.tenant.stored")
                        .description("Bytes that a tenant stores, of those that store most")
                        .baseUnit(BaseUnits.BYTES)
                        .register(registry);
    }

    private void runs(MeterRegistry registry, String state, ToDoubleFunction<Backlog> value) {
        gauge("satchel.runs.active", value)
                .description("Runs of all servers: executed, waiting for a place, or for people")
                .tag("state", state)
                .register(registry);
    }

    private Gauge.Builder<BacklogMetrics> gauge(String name, ToDoubleFunction<Backlog> value) {
        return Gauge.builder(
                name,
                this,
                metrics -> {
                    Backlog backlog = metrics.current;
                    return backlog == null ? Double.NaN : value.applyAsDouble(backlog);
                });
    }

    /** To be called before the metrics are shown. */
    public void refresh() throws InterruptedException {
        Thread thread;
        synchronized (this) {
            boolean isValid = System.nanoTime() - readNanos < VALIDITY.toNanos();
            if (reading == null && isValid) {
                return;
            }
            if (reading == null) {
                reading = Thread.ofVirtual().name("backlog-metrics").start(this::read);
            }
            thread = reading;
        }
        boolean _ = thread.join(WAIT);
    }

    private void read() {
        try {
            List<TenantBytes> largest = database.read(tx -> store.largestTenants(tx, tenants));
            current = database.read(this::backlog);
            storage.register(
                    largest.stream()
                            .map(
                                    it ->
                                            MultiGauge.Row.of(
                                                    Tags.of("tenant", it.tenant()), it.bytes()))
                            .toList(),
                    true);
        } catch (RuntimeException e) {
            current = null;
            if (DatabaseOutage.of(e).isEmpty()) {
                LOG.warn("the metrics of the database cannot be read", e);
            }
        } finally {
            synchronized (this) {
                reading = null;
                readNanos = System.nanoTime();
            }
        }
    }

    private Backlog backlog(Transaction tx) {
        long now = clock.millis();
        return new Backlog(
                store.runs(tx, "running"),
                store.queuedRuns(tx),
                store.runs(tx, "waiting"),
                store.erasures(tx),
                Math.max(0, now - store.oldestErasure(tx, now)),
                store.pendingSnapshots(tx));
    }
}
