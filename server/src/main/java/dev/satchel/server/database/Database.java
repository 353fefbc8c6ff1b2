package dev.satchel.server.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * Short reads and short transactions. While one is open, its code must not wait for a network, an
 * object store or a browser: SQLite has one writer, and all others wait for it.
 */
public final class Database implements AutoCloseable {
    private static final String CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)";
    private static final String FREE_PAGES = "PRAGMA freelist_count";

    /** So many pages that other writers wait for a short time only. */
    private static final String RETURN_PAGES = "PRAGMA incremental_vacuum(1000)";

    private static final String TRUNCATE_LOG = "PRAGMA wal_checkpoint(TRUNCATE)";

    private static final Duration[] COMMIT_BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10)
    };

    private final OutageLog outages = new OutageLog("the database");
    private final Dialect dialect;
    private final HikariDataSource writers;
    private final HikariDataSource readers;
    private final Jdbi writing;
    private final Jdbi reading;
    private volatile @Nullable Timer commits; // null while nothing is measured

    Database(Dialect dialect, HikariDataSource writers, HikariDataSource readers) {
        this.dialect = dialect;
        this.writers = writers;
        this.readers = readers;
        SqlParameters parameters = new SqlParameters();
        this.writing = jdbi(writers, parameters);
        this.reading = jdbi(readers, parameters);
    }

    private static Jdbi jdbi(HikariDataSource source, SqlParameters parameters) {
        Jdbi jdbi = Jdbi.create(source);
        jdbi.getConfig(SqlStatements.class).setSqlParser(parameters);
        return jdbi;
    }

    public Dialect dialect() {
        return dialect;
    }

    /** From now on the time of commits and of the waits for a connection is measured, once. */
    public void measure(MeterRegistry registry) {
        commits =
                Timer.builder("satchel.database.commit")
                        .description("Time of the commit of a transaction that writes")
                        .serviceLevelObjectives(COMMIT_BUCKETS)
                        .register(registry);
        writers.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
        if (dialect == Dialect.SQLITE) { // PostgreSQL has one pool
            readers.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
        }
    }

    /** Reads without a lock; sees everything that was committed before. */
    public <T> T read(Function<Transaction, T> work) {
        return execute(() -> reading.withHandle(handle -> work.apply(new Transaction(handle))));
    }

    /**
     * Reads one state of the whole database, however long that takes, and locks nothing. Other
     * transactions go on meanwhile.
     */
    public <T> T readOneState(Function<Transaction, T> work) {
        return execute(
                () ->
                        switch (dialect) {
                            case SQLITE -> reading.withHandle(handle -> oneOfSqlite(handle, work));
                            case POSTGRESQL ->
                                    reading.inTransaction(
                                            TransactionIsolationLevel.REPEATABLE_READ,
                                            handle -> {
                                                Transaction tx = new Transaction(handle);
                                                tx.plain("SET TRANSACTION READ ONLY");
                                                tx.liftTimeLimits(dialect);
                                                return work.apply(tx);
                                            });
                        });
    }

    /** The transactions of the driver would wait for the writer. */
    private static <T> T oneOfSqlite(Handle handle, Function<Transaction, T> work) {
        Transaction tx = new Transaction(handle);
        tx.plain("BEGIN DEFERRED");
        try {
            return work.apply(tx);
        } finally {
            tx.plain("ROLLBACK");
        }
    }

    /**
     * Commits everything the work did, or nothing when it throws.
     *
     * @throws CommitUnknownException when the commit itself failed
     */
    public <T> T write(Function<Transaction, T> work) {
        AtomicLong done = new AtomicLong(); // when the work was done and the commit began
        try {
            T written =
                    execute(
                            () ->
                                    writing.inTransaction(
                                            handle -> {
                                                T result = work.apply(new Transaction(handle));
                                                done.set(System.nanoTime());
                                                return result;
                                            }));
            committed(done.get());
            outages.answered(); // not after a read: a read-only database answers those
            return written;
        } catch (RuntimeException e) {
            throw done.get() != 0 ? new CommitUnknownException(e) : e;
        }
    }

    private void committed(long startNanos) {
        Timer timer = commits;
        if (timer != null) {
            timer.record(Duration.ofNanos(System.nanoTime() - startNanos));
        }
    }

    /** As {@link #write}, without a result. */
    public void change(Consumer<Transaction> work) {
        write(
                tx -> {
                    work.accept(tx);
                    return Boolean.TRUE;
                });
    }

    /** As {@link #write}, for work on whole tables, which may take long. */
    public <T> T writeWithoutTimeLimit(Function<Transaction, T> work) {
        return write(
                tx -> {
                    tx.liftTimeLimits(dialect);
                    return work.apply(tx);
                });
    }

    private <T> T execute(Supplier<T> transaction) {
        try {
            return InterruptGuard.protect(transaction);
        } catch (RuntimeException e) {
            if (DatabaseOutage.of(e).isPresent()) {
                outages.failed(e);
            }
            if (dialect == Dialect.POSTGRESQL && DatabaseOutage.affectsConnections(e)) {
                // a silent connection is rarely the only one; those in use end by themselves
                writers.getHikariPoolMXBean().softEvictConnections();
            }
            throw e;
        }
    }

    /** Opens notifications between the servers of this database; the caller closes them. */
    public Signals openSignals() {
        return switch (dialect) {
            case SQLITE -> Signals.NONE;
            case POSTGRESQL ->
                    new PostgresqlSignals(
                            () -> DriverManager.getConnection(writers.getJdbcUrl(), driver()),
                            this::ping);
        };
    }

    private Properties driver() {
        Properties properties = new Properties();
        properties.putAll(writers.getDataSourceProperties());
        Optional.ofNullable(writers.getUsername())
                .ifPresent(user -> properties.setProperty("user", user));
        Optional.ofNullable(writers.getPassword())
                .ifPresent(password -> properties.setProperty("password", password));
        return properties;
    }

    /** Returns when the database answers, throws when it does not. */
    public void ping() {
        int _ = read(tx -> tx.query("SELECT 1").mapTo(Integer.class).one());
    }

    /** Milliseconds since 1970 by the clock of the database server; empty for SQLite. */
    public Optional<Long> clock(Transaction tx) {
        return dialect.clock().map(sql -> tx.query(sql).mapTo(Long.class).one());
    }

    /**
     * Moves committed pages of SQLite from its log to its file. To be called about every second, so
     * that commits need not do it. PostgreSQL does this itself.
     */
    public void checkpoint() {
        if (dialect == Dialect.SQLITE) {
            read(tx -> tx.query(CHECKPOINT).mapToMap().list());
        }
    }

    /**
     * Returns the free pages of SQLite to the disk. PostgreSQL uses the space of deleted rows again
     * by itself, after its autovacuum.
     */
    public void vacuum() {
        if (dialect != Dialect.SQLITE) {
            return;
        }
        long free = freePages();
        while (free > 0) {
            writing.useHandle(handle -> returnPages(handle.getConnection()));
            long left = freePages();
            if (left >= free) {
                break;
            }
            free = left;
        }
        read(tx -> tx.query(TRUNCATE_LOG).mapToMap().list());
    }

    /** As an update: the pragma has a row without columns for each page, and all must be read. */
    private static void returnPages(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(RETURN_PAGES);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot return free pages to the disk", e);
        }
    }

    private long freePages() {
        return read(tx -> tx.query(FREE_PAGES).mapTo(Long.class).one());
    }

    @Override
    public void close() {
        readers.close();
        writers.close();
    }
}
