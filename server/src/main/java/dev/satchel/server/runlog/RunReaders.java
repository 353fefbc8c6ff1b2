package dev.satchel.server.runlog;

import dev.satchel.http.Exchange;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.schedule.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients that read runs, so that a run does not end while one of them still reads it. This
 * server's readers are known in memory. Those of other servers are rows, which expire when their
 * server dies; SQLite has one server and needs none. Thread-safe.
 */
public final class RunReaders implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunReaders.class);
    private static final Duration LIFE = Duration.ofSeconds(30);
    private static final Duration RENEWAL = Duration.ofSeconds(10);

    private final Database database;
    private final RunReaderStore store;
    private final LeaseClock clock;
    private final boolean hasPeers;
    private final Map<RunId, Set<Exchange>> here = new ConcurrentHashMap<>();
    private final Set<String> rows = ConcurrentHashMap.newKeySet();
    private final Scheduler scheduler = new Scheduler("run-readers");

    public RunReaders(Database database, RunReaderStore store, LeaseClock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
        this.hasPeers = database.dialect() != Dialect.SQLITE;
        if (hasPeers) {
            scheduler.every(RENEWAL, this::renew);
        }
    }

    /** A client that reads a run, until it is closed. */
    public interface Reader extends AutoCloseable {
        @Override
        void close();
    }

    /** Counts the client of a request until it disconnects or the reader is closed. */
    Reader add(RunId run, Exchange exchange) {
        here.computeIfAbsent(run, _ -> ConcurrentHashMap.newKeySet()).add(exchange);
        exchange.onDisconnect(() -> remove(run, exchange));
        return () -> remove(run, exchange);
    }

    /**
     * Counts a client that follows a run which another request has started, also for the other
     * servers.
     */
    public Reader addFollower(RunId run, Exchange exchange) {
        Reader local = add(run, exchange);
        if (!hasPeers) {
            return local;
        }
        String row = UUID.randomUUID().toString();
        database.change(tx -> store.insert(tx, row, run, clock.now(tx) + LIFE.toMillis()));
        rows.add(row);
        exchange.onDisconnect(() -> removeRow(row));
        return () -> {
            local.close();
            removeRow(row);
        };
    }

    /** Runs the action unless another client than that of the request reads the run. */
    public void ifLast(RunId run, Exchange exchange, Runnable action) {
        if (here.getOrDefault(run, Set.of()).stream().anyMatch(other -> other != exchange)) {
            return;
        }
        if (!hasPeers) {
            action.run();
            return;
        }
        Thread.ofVirtual() // a disconnect is reported on a thread that must not wait
                .name("readers-" + run.value())
                .start(
                        () -> {
                            if (!database.read(tx -> store.exists(tx, run, clock.now(tx)))) {
                                action.run();
                            }
                        });
    }

    @Override
    public void close() {
        scheduler.close();
    }

    private void remove(RunId run, Exchange exchange) {
        here.computeIfPresent(
                run,
                (_, readers) -> {
                    readers.remove(exchange);
                    return readers.isEmpty() ? null : readers;
                });
    }

    /** On a thread of its own: the thread of a client that has disconnected is interrupted. */
    private void removeRow(String row) {
        if (rows.remove(row)) {
            Thread.ofVirtual().name("reader-" + row).start(() -> delete(row));
        }
    }

    private void delete(String row) {
        try {
            database.change(tx -> store.delete(tx, row));
        } catch (RuntimeException e) {
            LOG.warn("the row of a reader stays until it expires", e);
        }
    }

    private void renew() {
        database.change(
                tx -> {
                    long now = clock.now(tx);
                    rows.forEach(row -> store.renew(tx, row, now + LIFE.toMillis()));
                    store.deleteExpired(tx, now);
                });
    }
}
