package dev.satchel.runner.sandbox.disk;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the quota while a command runs, and once more at its end. */
public final class DiskQuotaMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(DiskQuotaMonitor.class);
    private static final Duration PERIOD = Duration.ofMillis(20);

    private final DiskQuota quota;
    private final Runnable onExceeded;
    private final Duration period;
    private final Thread thread;
    private boolean exceeded;
    private boolean stopped;

    public DiskQuotaMonitor(DiskQuota quota, Runnable onExceeded) {
        this(quota, onExceeded, PERIOD);
    }

    /** {@code period} is the time between two checks. */
    public DiskQuotaMonitor(DiskQuota quota, Runnable onExceeded, Duration period) {
        this.quota = quota;
        this.onExceeded = onExceeded;
        this.period = period;
        thread = Thread.ofVirtual().name("sandbox-disk").start(this::monitor);
    }

    /** Whether the limit was exceeded; does not change after {@link #stop}. */
    public synchronized boolean isExceeded() {
        return exceeded;
    }

    /** Afterwards nothing is killed, so the next command is safe. */
    public synchronized void stop() {
        check(quota::isExceededAtEnd);
        stopped = true;
        thread.interrupt();
    }

    private void monitor() {
        try {
            while (!check(quota::isExceeded)) {
                Thread.sleep(period);
            }
        } catch (InterruptedException _) {
            // the command has ended
        }
    }

    private synchronized boolean check(Measurement measurement) {
        try {
            if (!stopped && measurement.isExceeded()) {
                exceeded = true;
                onExceeded.run();
            }
        } catch (IOException e) {
            // a limit that cannot be measured is not enforced
            LOG.warn("cannot measure the workspace, its commands are killed", e);
            exceeded = true;
            onExceeded.run();
        }
        return exceeded;
    }

    @FunctionalInterface
    private interface Measurement {
        boolean isExceeded() throws IOException;
    }
}
