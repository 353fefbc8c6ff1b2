package dev.satchel.server.operations;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Probes all dependencies at the same time; one that does not answer in time is down. */
public final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);

    private final List<Dependency> dependencies;
    private final Duration timeout;

    public Readiness(List<Dependency> dependencies, Duration timeout) {
        this.dependencies = List.copyOf(dependencies);
        this.timeout = timeout;
    }

    /** Whether each dependency is up, in the order they were given. */
    public Report check() throws InterruptedException {
        List<ProbeThread> probes = dependencies.stream().map(ProbeThread::new).toList();
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<Dependency, Boolean> up = new LinkedHashMap<>();
        for (ProbeThread probe : probes) {
            up.put(probe.dependency, probe.answered(deadline - System.nanoTime()));
        }
        return new Report(up);
    }

    /** Which dependencies are up. */
    public record Report(Map<Dependency, Boolean> up) {
        public Report {
            up = Collections.unmodifiableMap(new LinkedHashMap<>(up)); // keeps the order
        }

        /** 503 only when a required dependency is down: a proxy then sends requests elsewhere. */
        public int httpStatus() {
            return isRequiredDown() ? 503 : 200;
        }

        public String status() {
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

    /** One probe, on its own thread. */
    private static final class ProbeThread {
        private final Dependency dependency;
        private final CountDownLatch done = new CountDownLatch(1);
        private final AtomicBoolean up = new AtomicBoolean();
        private final Thread thread;

        ProbeThread(Dependency dependency) {
            this.dependency = dependency;
            this.thread = Thread.ofVirtual().name("ready-" + dependency.name()).start(this::run);
        }

        boolean answered(long nanos) throws InterruptedException {
            if (!done.await(nanos, TimeUnit.NANOSECONDS)) {
                thread.interrupt();
                LOG.warn("dependency does not answer name={}", dependency.name());
                return false;
            }
            return up.get();
        }

        private void run() {
            try {
                dependency.probe().run();
                up.set(true);
            } catch (Exception e) { // any failure means that it is down
                if (dependency.isRequired()) {
                    LOG.warn("dependency is down name={}", dependency.name(), e);
                }
            } finally {
                done.countDown();
            }
        }
    }
}
