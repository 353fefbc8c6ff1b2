package dev.satchel.server.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.time.Duration;

/** Counts and times the snapshots of this server. Thread-safe. */
public final class SnapshotMetrics {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1)
    };

    private final Timer taken;
    private final Counter bytes;
    private final Counter failures;

    public SnapshotMetrics(MeterRegistry registry) {
        this.taken =
                Timer.builder("satchel.snapshot")
                        .description("Time to take a snapshot of a workspace")
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry);
        this.bytes =
                Counter.builder("satchel.snapshot.stored")
                        .description("Bytes that snapshots have added to the object store")
                        .baseUnit(BaseUnits.BYTES)
                        .register(registry);
        this.failures =
                Counter.builder("satchel.snapshot.failures")
                        .description("Attempts to save a workspace that have failed")
                        .register(registry);
    }

    /** A snapshot is stored; its new packs have this many bytes. */
    public void taken(Duration duration, long packedBytes) {
        taken.record(duration);
        bytes.increment((double) packedBytes);
    }

    public void failed() {
        failures.increment();
    }
}
