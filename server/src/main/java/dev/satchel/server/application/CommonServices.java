package dev.satchel.server.application;

import dev.satchel.server.backup.HeldObjectStore;
import dev.satchel.server.backup.ObjectHold;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.database.Database;
import dev.satchel.server.limit.DiskReserve;
import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.limit.LimitService;
import dev.satchel.server.limit.StorageQuota;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.operations.Metrics;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.schedule.MonotonicClock;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.schedule.Sweeps;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

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
        CloseStack closing) {
    private static final Duration CHECKPOINT = Duration.ofSeconds(1);

    /** {@code time} is for timestamps, {@code steady} for durations, {@code leases} for leases. */
    record Clocks(Clock time, Clock steady, LeaseClock leases) {}

    static CommonServices open(
            StorageConfiguration storage,
            LimitDefaults limits,
            Clock clock,
            Clock steady,
            CloseStack closing)
            throws StartException {
        Database database = closing.add(DatabaseOpener.open(storage.database()));
        closing.add(new Scheduler("checkpoints")).every(CHECKPOINT, database::checkpoint);
        ObjectStore objects =
                closing.add(new HeldObjectStore(open(storage.objects()), database, clock));
        Clocks clocks = new Clocks(clock, steady, new LeaseClock(database, steady));
        Sweeps sweeps =
                closing.add(
                        new Sweeps(
                                database,
                                clock,
                                new MonotonicClock(),
                                new ObjectHold(database, clock)::isValid));
        Metrics metrics = closing.add(new Metrics());
        LimitService tenants = new LimitService(database, limits);
        DiskReserve disk = new DiskReserve(storage.dataDirectory(), limits.diskReserveMegabytes());
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
