package dev.satchel.server.operations;

import dev.satchel.server.database.DatabaseOutage;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes all dependencies at the same time; one that does not answer in time is down. Every
 * dependency has at most one probe at a time, which requests share: a probe that hangs is not
 * repeated, and never interrupted, since that would break its connection.
 */
public final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);

    private final List<Prober> probers;
    private final Duration timeout;
    private volatile boolean shuttingDown;

    /** The result of a probe is used again for requests that follow within {@code validity}. */
    public Readiness(List<Dependency> dependencies, Duration timeout, Duration validity) {
        this.probers =
                dependencies.stream().map(dependency -> new Prober(dependency, validity)).toList();
        this.timeout = timeout;
    }

    /** From now on the server is not ready, whatever its dependencies do. */
    public void shutDown() {
        shuttingDown = true;
    }

    /** Whether each dependency is up, in the order they were given. */
    public Report check() throws InterruptedException {
        List<Probe> probes = probers.stream().map(Prober::probe).toList();
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<Dependency, Boolean> up = new LinkedHashMap<>();
        for (Probe probe : probes) {
            up.put(probe.dependency, probe.answered(deadline - System.nanoTime()));
        }
        return new Report(up, shuttingDown);
    }

    /** Which dependencies are up, and whether the server is being stopped. */
    public record Report(Map<Dependency, Boolean> up, boolean shuttingDown) {
        public Report {
            up = Collections.unmodifiableMap(new LinkedHashMap<>(up)); // keeps the order
        }

        /** 503 only when the server cannot serve: a proxy then sends requests elsewhere. */
        public int httpStatus() {
            return shuttingDown || isRequiredDown() ? 503 : 200;
        }

        public String status() {
            if (shuttingDown) {
                return "shutting_down";
            }
            if (isRequiredDown()) {
                return "unavailable";
            }
            return up.containsValue(false) ? "degraded" : "ok";
        }

        /** {@code up} or {@code down} by name. */
        public Map<String, String> words() {
            Map<String, String> words = new LinkedHashMap<>();
            up.forEach((dependency, isUp) -> words.put(dependency.name(), isUp ? "up" : "down"));
            return words;
        }

        private boolean isRequiredDown() {
            return up.entrySet().stream()
                    .anyMatch(entry -> entry.getKey().isRequired() && !entry.getValue());
        }
    }

    /** Starts the probes of one dependency, one after the other. */
    private static final class Prober {
        private final Dependency dependency;
        private final Duration validity;
        private final AtomicBoolean silent = new AtomicBoolean(); // since the last answer
        private @Nullable Probe latest; // guarded by this

        Prober(Dependency dependency, Duration validity) {
            this.dependency = dependency;
            this.validity = validity;
        }

        /** The probe that runs or has just ended, else a new one. */
        synchronized Probe probe() {
            Probe probe = latest;
            if (probe == null || probe.isOlderThan(validity)) {
                probe = new Probe(dependency, silent);
                latest = probe;
                Thread.ofVirtual().name("ready-" + dependency.name()).start(probe::run);
            }
            return probe;
        }
    }

    /** One attempt to use a dependency. */
    private static final class Probe {
        private final Dependency dependency;
        private final AtomicBoolean silent;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile boolean up;
        private volatile long endedAt;

        Probe(Dependency dependency, AtomicBoolean silent) {
            this.dependency = dependency;
            this.silent = silent;
        }

        boolean isOlderThan(Duration validity) {
            return done.getCount() == 0 && System.nanoTime() - endedAt >= validity.toNanos();
        }

        boolean answered(long nanos) throws InterruptedException {
            if (!done.await(nanos, TimeUnit.NANOSECONDS)) {
                if (silent.compareAndSet(false, true)) {
                    LOG.warn("dependency does not answer name={}", dependency.name());
                }
                return false;
            }
            return up;
        }

        private void run() {
            try {
                dependency.probe().run();
                up = true;
                silent.set(false);
            } catch (Exception e) { // any failure means that it is down
                // an outage has its own lines in the log
                if (dependency.isRequired() && DependencyErrors.of(e).isEmpty()) {
                    LOG.warn(
                            "dependency is down name={} reason={}",
                            dependency.name(),
                            DatabaseOutage.reason(e));
                }
            } finally {
                endedAt = System.nanoTime();
                done.countDown();
            }
        }
    }
}
