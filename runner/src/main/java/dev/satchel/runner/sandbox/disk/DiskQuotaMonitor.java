package dev.satchel.runner.sandbox.disk;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the meter while a command runs, and once more at its end. */
public final class DiskQuotaMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(DiskQuotaMonitor.class);
    private static final Duration PERIOD = Duration.ofMillis(20);

    private final DiskQuota meter;
    private final Runnable whenFull;
    private final Thread thread;
    private boolean full;
    private boolean stopped;

    public DiskQuotaMonitor(DiskQuota meter, Runnable whenFull) {
        this.meter = meter;
        this.whenFull = whenFull;
        thread = Thread.ofVirtual().name("sandbox-disk").start(this::watch);
    }

    /** Whether the limit was passed; final once stopped. */
    public synchronized boolean full() {
        return full;
    }

    /** After this the watch kills nothing any more: the next command is not its own. */
    public synchronized void stop() {
        check(meter::overAtEnd);
        stopped = true;
        thread.interrupt();
    }

    private void watch() {
        try {
            while (!check(meter::over)) {
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException _) {
            // the command has ended
        }
    }

    private synchronized boolean check(Measurement measurement) {
        try {
            if (!stopped && measurement.over()) {
                full = true;
                whenFull.run();
            }
        } catch (IOException e) {
            // a limit that cannot be watched is no limit
            LOG.warn("the workspace cannot be measured, its commands are killed", e);
            full = true;
            whenFull.run();
        }
        return full;
    }

    @FunctionalInterface
    private interface Measurement {
        boolean over() throws IOException;
    }
}
