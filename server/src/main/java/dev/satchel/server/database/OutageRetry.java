package dev.satchel.server.database;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats work until the database is available again. */
public final class OutageRetry {
    private static final Logger LOG = LoggerFactory.getLogger(OutageRetry.class);

    private OutageRetry() {}

    /** Work that uses the database and can be repeated. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E, InterruptedException;
    }

    /** Waits as long as an outage lasts; any other failure is thrown. */
    public static <T, E extends Exception> T repeat(Work<T, E> work, Duration pause, String run)
            throws E, InterruptedException {
        while (true) {
            try {
                return work.run();
            } catch (RuntimeException e) {
                if (DatabaseOutage.of(e).isEmpty()) {
                    throw e;
                }
                LOG.debug(
                        "a run waits for the database runId={} reason={}",
                        run,
                        DatabaseOutage.reason(e));
                Thread.sleep(pause);
            }
        }
    }
}
