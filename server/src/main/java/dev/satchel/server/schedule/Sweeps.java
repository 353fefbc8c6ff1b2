package dev.satchel.server.schedule;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clean-up tasks that one server runs for all servers of a database. The servers elect it by a
 * row with a lease; a SQLite database has one server only. Each task runs soon after the election,
 * and then periodically. A task must be correct when two servers run it at the same time, since a
 * server that does not respond loses its lease.
 */
public final class Sweeps implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);
    private static final Duration TICK = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofMinutes(2);

    /** Requests right after the start come first. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final Database database;
    private final Clock clock;
    private final Clock steady;
    private final SweepLeaseStore store = new SweepLeaseStore();
    private final String holder = UUID.randomUUID().toString();
    private final List<Task> tasks = new CopyOnWriteArrayList<>();
    private final Scheduler election = new Scheduler("sweep-election");
    private final Scheduler timer = new Scheduler("sweeps");
    private final BooleanSupplier paused;
    private volatile boolean elected;

    /**
     * {@code steady} measures the periods; {@code clock} is for the lease in SQLite. While {@code
     * paused} no task begins.
     */
    public Sweeps(Database database, Clock clock, Clock steady, BooleanSupplier paused) {
        this.paused = paused;
        this.database = database;
        this.clock = clock;
        this.steady = steady;
        election.every(TICK, this::elect);
        timer.every(TICK, this::runDue);
    }

    public void every(Duration period, Runnable work) {
        tasks.add(new Task(period, work));
    }

    /** Runs a task without waiting for its period, on this server; not at all while paused. */
    public void soon(Runnable work) {
        timer.soon(
                () -> {
                    if (!paused.getAsBoolean()) {
                        work.run();
                    }
                });
    }

    /** Runs every task once, on the calling thread, also on a server that is not elected. */
    public void runAll() {
        tasks.forEach(task -> Scheduler.attempt(task.work));
    }

    /** Lets another server take over at once. */
    @Override
    public void close() {
        timer.close();
        election.close();
        if (elected && database.dialect() != Dialect.SQLITE) {
            try {
                database.change(tx -> store.release(tx, holder));
            } catch (RuntimeException e) {
                LOG.warn("the lease of the clean-up tasks stays until it expires", e);
            }
        }
    }

    /** Takes or renews the lease. */
    void elect() {
        boolean was = elected;
        elected = false; // when the database does not answer
        elected =
                database.dialect() == Dialect.SQLITE
                        || database.write(
                                tx -> {
                                    long now = database.clock(tx).orElseGet(clock::millis);
                                    return store.take(tx, holder, now, now + LEASE.toMillis());
                                });
        if (elected && !was) {
            Instant first = steady.instant().plus(FIRST);
            tasks.forEach(task -> task.due = first);
        }
    }

    /** Runs the tasks that are due, in the order in which they were added. */
    void runDue() {
        for (Task task : tasks) {
            if (elected && !steady.instant().isBefore(task.due) && !paused.getAsBoolean()) {
                Scheduler.attempt(task.work);
                task.due = steady.instant().plus(task.period);
            }
        }
    }

    private static final class Task {
        final Duration period;
        final Runnable work;
        volatile Instant due = Instant.MAX;

        Task(Duration period, Runnable work) {
            this.period = period;
            this.work = work;
        }
    }
}
