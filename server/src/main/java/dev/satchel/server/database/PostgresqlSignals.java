package dev.satchel.server.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LISTEN and NOTIFY on two connections of their own. A NOTIFY inside a writing transaction would
 * line up all commits of all servers one behind the other; so what commits only leaves its topic
 * here, and one thread tells the others whatever has gathered while it told the last.
 */
final class PostgresqlSignals implements Signals {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresqlSignals.class);
    private static final String CHANNEL = "satchel";
    private static final String SEPARATOR = " ";

    /** A payload holds less than 8,000 bytes. */
    private static final int MOST_CHARACTERS = 7_000;

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int LISTEN_MILLIS = 10_000;
    private static final int CHECK_SECONDS = 3;

    /** Opens a connection that belongs to no pool. */
    @FunctionalInterface
    interface Connector {
        Connection connect() throws SQLException;
    }

    private final Connector connector;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition gathered = lock.newCondition();
    private Set<String> waiting = new LinkedHashSet<>(); // guarded by the lock
    private final Thread teller;
    private final Thread hearer;
    private volatile int tellerId;
    private volatile @Nullable Connection hearing;
    private volatile boolean closed;

    PostgresqlSignals(Connector connector) {
        this.connector = connector;
        this.teller =
                Thread.ofPlatform().name("signals-out").daemon().start(() -> loop(this::tell));
        this.hearer = Thread.ofPlatform().name("signals-in").daemon().start(() -> loop(this::hear));
    }

    @Override
    public void send(String topic) {
        lock.lock();
        try {
            waiting.add(topic);
            gathered.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void listen(Consumer<String> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        closed = true;
        teller.interrupt();
        hearer.interrupt();
        abort(hearing); // it sits in a read that no interrupt ends
    }

    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException, InterruptedException;
    }

    /** A connection that breaks is replaced: what is lost meanwhile, others find by looking. */
    private void loop(Work work) {
        while (!closed) {
            try (Connection connection = connector.connect()) {
                work.on(connection);
            } catch (SQLException e) {
                if (!closed) {
                    LOG.warn("no signals between servers for now: {}", e.getMessage());
                    pause();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void tell(Connection connection) throws SQLException, InterruptedException {
        tellerId = connection.unwrap(PGConnection.class).getBackendPID();
        try (PreparedStatement notify = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            while (!closed) {
                for (String payload : payloads(next())) {
                    notify.setString(1, CHANNEL);
                    notify.setString(2, payload);
                    notify.execute();
                }
            }
        }
    }

    private Set<String> next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty()) {
                gathered.await();
            }
            Set<String> topics = waiting;
            waiting = new LinkedHashSet<>();
            return topics;
        } finally {
            lock.unlock();
        }
    }

    private static List<String> payloads(Set<String> topics) {
        List<String> payloads = new ArrayList<>();
        StringBuilder payload = new StringBuilder();
        for (String topic : topics) {
            if (payload.length() + topic.length() > MOST_CHARACTERS) {
                payloads.add(payload.toString());
                payload.setLength(0);
            }
            payload.append(payload.isEmpty() ? "" : SEPARATOR).append(topic);
        }
        payloads.add(payload.toString());
        return payloads;
    }

    private void hear(Connection connection) throws SQLException {
        hearing = connection;
        PGConnection postgresql = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + CHANNEL);
        }
        while (!closed) {
            PGNotification[] heard = postgresql.getNotifications(LISTEN_MILLIS);
            if ((heard == null || heard.length == 0) && !connection.isValid(CHECK_SECONDS)) {
                throw new SQLException("the database does not answer");
            }
            for (PGNotification notification : heard == null ? new PGNotification[0] : heard) {
                if (notification.getPID() != tellerId) {
                    List.of(notification.getParameter().split(SEPARATOR, -1)).forEach(this::pass);
                }
            }
        }
    }

    private void pass(String topic) {
        for (Consumer<String> listener : listeners) {
            try {
                listener.accept(topic);
            } catch (RuntimeException e) {
                LOG.warn("a signal was not heeded", e);
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void abort(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.debug("closing the connection of signals failed", e);
        }
    }
}
