package dev.satchel.server.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Opens a database and brings its schema up to date. */
public final class Databases {
    private static final int SQLITE_READERS = 4;
    private static final int POSTGRESQL_CONNECTIONS = 16;
    private static final int BUSY_TIMEOUT_MILLIS = 10_000;

    /** How long a request waits for a connection before it is refused. */
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

    /** How long a connection that was idle may take to answer before it is replaced. */
    private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration KEEPALIVE = Duration.ofSeconds(30);

    /**
     * 64 MiB of write-ahead log. A commit that finds more moves it to the file, which takes long.
     * {@link Database#checkpoint} prevents that.
     */
    private static final int MAX_LOG_PAGES = 16_384;

    private Databases() {}

    /** Creates the file if it does not exist. */
    public static Database sqlite(Path file) {
        return sqlite(file, Migrations.newest());
    }

    /** As {@link #sqlite(Path)}, with an earlier schema: that of the first steps. */
    public static Database sqlite(Path file, int steps) {
        if (!Files.exists(file)) {
            create(file);
        }
        HikariConfig writer = sqlitePool(file, 1);
        writer.setConnectionInitSql("PRAGMA wal_autocheckpoint = " + MAX_LOG_PAGES);
        HikariConfig readers = sqlitePool(file, SQLITE_READERS);
        readers.setConnectionInitSql("PRAGMA query_only = ON");
        // the writer opens first: it creates the file and enables WAL
        HikariDataSource writing = new HikariDataSource(writer);
        return migrated(Dialect.SQLITE, writing, new HikariDataSource(readers), steps);
    }

    /** Opens a file that another process may be using, with whatever schema it has. */
    public static Database withoutMigration(Path file) {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no " + file);
        }
        HikariConfig readers = sqlitePool(file, SQLITE_READERS);
        readers.setConnectionInitSql("PRAGMA query_only = ON");
        HikariDataSource writing = new HikariDataSource(sqlitePool(file, 1));
        return new Database(Dialect.SQLITE, writing, new HikariDataSource(readers));
    }

    /** Only a file without tables can be set to return free pages to the disk. */
    private static void create(Path file) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
            statement.execute("VACUUM"); // writes the setting
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create " + file, e);
        }
    }

    /** The URL is {@code postgresql://user:password@host:port/name}; see {@link PostgresqlUrl}. */
    public static Database postgresql(URI url) {
        return postgresql(url, Migrations.newest());
    }

    /** As {@link #postgresql(URI)}, with an earlier schema: that of the first steps. */
    public static Database postgresql(URI url, int steps) {
        HikariDataSource source = new HikariDataSource(postgresqlPool(new PostgresqlUrl(url)));
        return migrated(Dialect.POSTGRESQL, source, source, steps);
    }

    /** Connects without changing the schema; throws when it cannot. */
    public static void ping(URI url) {
        try (Database database = withoutMigration(url)) {
            database.ping();
        }
    }

    /** Opens PostgreSQL as it is, with whatever schema it has. */
    public static Database withoutMigration(URI url) {
        HikariDataSource source = new HikariDataSource(postgresqlPool(new PostgresqlUrl(url)));
        return new Database(Dialect.POSTGRESQL, source, source);
    }

    private static HikariConfig postgresqlPool(PostgresqlUrl url) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url.jdbc());
        pool.setDataSourceProperties(url.defaults());
        url.user().ifPresent(pool::setUsername);
        url.password().ifPresent(pool::setPassword);
        pool.setMaximumPoolSize(POSTGRESQL_CONNECTIONS);
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        pool.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
        pool.setKeepaliveTime(KEEPALIVE.toMillis());
        pool.setConnectionInitSql(sessionLimits(url.socketTimeout()));
        pool.setPoolName("postgresql");
        return pool;
    }

    /**
     * The server ends a slow statement before the client gives up on the connection, and a
     * transaction whose client is gone, since that would keep its locks.
     */
    private static String sessionLimits(Duration socketTimeout) {
        long millis = Math.max(0, socketTimeout.minusSeconds(1).toMillis());
        return "SET statement_timeout = %d; SET idle_in_transaction_session_timeout = %d"
                .formatted(millis, socketTimeout.multipliedBy(2).toMillis());
    }

    private static Database migrated(
            Dialect dialect, HikariDataSource writers, HikariDataSource readers, int steps) {
        Database database = new Database(dialect, writers, readers);
        try {
            new Migrations(Migrations.ALL.subList(0, steps)).apply(database);
            return database;
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static HikariConfig sqlitePool(Path file, int size) {
        HikariConfig pool = new HikariConfig();
        // not by a JDBC URL: DriverManager would open every jar to find the driver
        SQLiteDataSource source = new SQLiteDataSource(sqliteConfig());
        source.setUrl("jdbc:sqlite:" + file);
        pool.setDataSource(source);
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(1);
        pool.setPoolName("sqlite-" + size);
        return pool;
    }

    /** FULL: a line that a browser has received must survive a power failure. */
    private static SQLiteConfig sqliteConfig() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
        config.enforceForeignKeys(true);
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        return config;
    }
}
