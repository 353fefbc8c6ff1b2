package dev.satchel.server.database;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the outages of something that this server needs: one line when an outage begins and one when
 * it has ended, whatever fails meanwhile. May be shared between threads.
 */
public final class OutageLog {
    private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);

    /** Calls that fail within this time of each other belong to one outage. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final String name;
    private final LongSupplier nanoTime;
    private volatile boolean ongoing;
    private long began; // guarded by this, like all below
    private long lastFailure;
    private boolean hasAnswered;
    private long firstAnswer;
    private long failures;

    public OutageLog(String name) {
        this(name, System::nanoTime);
    }

    OutageLog(String name, LongSupplier nanoTime) {
        this.name = name;
        this.nanoTime = nanoTime;
    }

    /** A call has failed because of an outage. */
    public synchronized void failed(Throwable failure) {
        long now = nanoTime.getAsLong();
        if (!ongoing) {
            ongoing = true;
            began = now;
            failures = 0;
            LOG.warn("{} is not available reason={}", name, DatabaseOutage.reason(failure));
        }
        failures++;
        lastFailure = now;
        hasAnswered = false;
    }

    /** A call has succeeded. */
    public void answered() {
        if (ongoing) {
            endIfQuiet();
        }
    }

    private synchronized void endIfQuiet() {
        long now = nanoTime.getAsLong();
        firstAnswer = hasAnswered ? firstAnswer : now;
        hasAnswered = true;
        if (ongoing && now - lastFailure >= QUIET.toNanos()) {
            ongoing = false;
            LOG.info(
                    "{} is available again afterMillis={} failedCalls={}",
                    name,
                    Duration.ofNanos(firstAnswer - began).toMillis(),
                    failures);
        }
    }
}
