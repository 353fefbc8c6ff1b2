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
 * LISTEN and NOTIFY on two separate connections. A NOTIFY inside a transaction would serialize all
 * commits of all servers. So a commit only adds its topic to a set, and one thread sends the
 * collected topics.
 */
final class PostgresqlSignals implements Signals {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresqlSignals.class);
    private static final String CHANNEL = "satchel";
    private static final String SEPARATOR = " ";

    /** A payload is limited to 8,000 bytes. */
    private static final int MAX_CHARACTERS = 7_000;

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int LISTEN_MILLIS = 10_000;
    private static final int CHECK_SECONDS = 3;

    /** Opens a connection outside of the pool. */
    @FunctionalInterface
    interface Connector {
        Connection connect() throws SQLException;
    }

    private final Connector connector;
    private final Runnable ping;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private Set<String> pending = new LinkedHashSet<>(); // guarded by the lock
    private final Thread sender;
    private final Thread receiver;
    private volatile int senderId;
    private volatile @Nullable Connection listening;
    private volatile boolean closed;

    /** {@code ping} throws while the database is away, which it logs. */
    PostgresqlSignals(Connector connector, Runnable ping) {
        this.connector = connector;
        this.ping = ping;
        this.sender =
                Thread.ofPlatform().name("signals-out").daemon().start(() -> loop(this::sendAll));
        this.receiver =
                Thread.ofPlatform().name("signals-in").daemon().start(() -> loop(this::receive));
    }

    @Override
    public void send(String topic) {
        lock.lock();
        try {
            pending.add(topic);
            added.signal();
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
        sender.interrupt();
        receiver.interrupt();
        abort(listening); // its read cannot be interrupted
    }

    @FunctionalInterface
    private interface Loop {
        void run(Connection connection) throws SQLException, InterruptedException;
    }

    /** Replaces a lost connection. Receivers poll, so lost signals only cause a delay. */
    private void loop(Loop body) {
        boolean hasFailed = false; // while the database answered
        while (!closed) {
            try (Connection connection = connector.connect()) {
                body.run(connection);
            } catch (SQLException e) {
                if (!closed) {
                    hasFailed = databaseAnswers(e, hasFailed);
                    pause();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** An outage of the database has its own line in the log. */
    private boolean databaseAnswers(SQLException failure, boolean repeated) {
        try {
            ping.run();
        } catch (RuntimeException e) {
            LOG.debug("no signals between servers until the database answers", e);
            return false;
        }
        if (repeated) {
            LOG.warn("no signals between servers, trying again reason={}", failure.getMessage());
        }
        return true;
    }

    private void sendAll(Connection connection) throws SQLException, InterruptedException {
        senderId = connection.unwrap(PGConnection.class).getBackendPID();
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
            while (pending.isEmpty()) {
                added.await();
            }
            Set<String> topics = pending;
            pending = new LinkedHashSet<>();
            return topics;
        } finally {
            lock.unlock();
        }
    }

    private static List<String> payloads(Set<String> topics) {
        List<String> payloads = new ArrayList<>();
        StringBuilder payload = new StringBuilder();
        for (String topic : topics) {
            if (payload.length() + topic.length() > MAX_CHARACTERS) {
                payloads.add(payload.toString());
                payload.setLength(0);
            }
            payload.append(payload.isEmpty() ? "" : SEPARATOR).append(topic);
        }
        payloads.add(payload.toString());
        return payloads;
    }

    private void receive(Connection connection) throws SQLException {
        listening = connection;
        PGConnection postgresql = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + CHANNEL);
        }
        while (!closed) {
            PGNotification[] received = postgresql.getNotifications(LISTEN_MILLIS);
            if ((received == null || received.length == 0) && !connection.isValid(CHECK_SECONDS)) {
                throw new SQLException("the database does not answer");
            }
            for (PGNotification notification :
                    received == null ? new PGNotification[0] : received) {
                if (notification.getPID() != senderId) {
                    List.of(notification.getParameter().split(SEPARATOR, -1))
                            .forEach(this::notifyListeners);
                }
            }
        }
    }

    private void notifyListeners(String topic) {
        for (Consumer<String> listener : listeners) {
            try {
                listener.accept(topic);
            } catch (RuntimeException e) {
                LOG.warn("a listener of signals failed", e);
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
