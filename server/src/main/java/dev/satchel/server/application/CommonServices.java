package dev.satchel.server.application;

import dev.satchel.http.RequestObserver;
import dev.satchel.server.backup.HeldObjectStore;
import dev.satchel.server.backup.ObjectHold;
import dev.satchel.server.configuration.Configuration.Monitoring;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.database.Database;
import dev.satchel.server.limit.DiskReserve;
import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.limit.LimitService;
import dev.satchel.server.limit.StorageQuota;
import dev.satchel.server.metric.BacklogMetrics;
import dev.satchel.server.metric.MeasuredObjectStore;
import dev.satchel.server.metric.RunMetrics;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.operations.Metrics;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.RunObserver;
import dev.satchel.server.schedule.MonotonicClock;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.schedule.Sweeps;
import dev.satchel.server.tracing.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The objects that most features use. {@code sweeps} runs the clean-up tasks of all features;
 * {@code closing} closes everything.
 */
record CommonServices(
        Database database,
        ObjectStore objects,
        Stores stores,
        Clocks clocks,
        Sweeps sweeps,
        LimitService limits,
        StorageQuota quota,
        DiskReserve disk,
        Metrics metrics,
        RunObserver runs,
        RequestObserver requests,
        CloseStack closing) {
    private static final Duration CHECKPOINT = Duration.ofSeconds(1);

    /** {@code time} is for timestamps, {@code steady} for durations, {@code leases} for leases. */
    record Clocks(Clock time, Clock steady, LeaseClock leases) {}

    static CommonServices open(
            StorageConfiguration storage,
            LimitDefaults limits,
            Monitoring monitoring,
            Clock clock,
            Clock steady,
            CloseStack closing)
            throws StartException {
        Metrics metrics = closing.add(new Metrics());
        MeterRegistry registry = metrics.registry();
        Database database = closing.add(DatabaseOpener.open(storage.database()));
        database.measure(registry);
        closing.add(new Scheduler("checkpoints")).every(CHECKPOINT, database::checkpoint);
        ObjectStore objects =
                closing.add(
                        new HeldObjectStore(
                                new MeasuredObjectStore(open(storage.objects()), registry),
                                database,
                                clock));
        Clocks clocks = new Clocks(clock, steady, new LeaseClock(database, steady));
        Sweeps sweeps =
                closing.add(
                        new Sweeps(
                                database,
                                clock,
                                new MonotonicClock(),
                                new ObjectHold(database, clock)::isValid));
        LimitService tenants = new LimitService(database, limits);
        DiskReserve disk = new DiskReserve(storage.dataDirectory(), limits.diskReserveMegabytes());
        BacklogMetrics backlog =
                new BacklogMetrics(database, clock, monitoring.tenants(), registry);
        metrics.beforeScrape(backlog::refresh);
        disk.measure(registry);
        Optional<Tracing> tracing =
                monitoring
                        .tracing()
                        .map(it -> new Tracing(it, Application.version(), clock, registry))
                        .map(closing::add);
        RunObserver counted = new RunMetrics(registry);
        return new CommonServices(
                database,
                objects,
                new Stores(database),
                clocks,
                sweeps,
                tenants,
                new StorageQuota(database, tenants, disk),
                disk,
                metrics,
                tracing.map(it -> RunObserver.of(List.of(counted, it.runs()))).orElse(counted),
                tracing.map(it -> it.requests(metrics)).orElse(metrics),
                closing);
    }

    private static ObjectStore open(ObjectStoreConfiguration configuration) throws StartException {
        return switch (configuration) {
            case ObjectStoreConfiguration.S3(S3Settings settings) -> new S3ObjectStore(settings);
            case ObjectStoreConfiguration.Local(Path directory) -> openLocal(directory);
        };
    }

    private static ObjectStore openLocal(Path directory) throws StartException {
        try {
            return new LocalObjectStore(directory);
        } catch (IOException e) {
            throw new StartException("cannot store files in " + directory, e);
        }
    }
}
