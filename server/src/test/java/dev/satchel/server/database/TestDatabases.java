package dev.satchel.server.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fresh, migrated databases for tests: a SQLite file, or a database of one shared PostgreSQL
 * server.
 */
public final class TestDatabases {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private TestDatabases() {}

    public static Database fresh(Dialect dialect) {
        return switch (dialect) {
            case SQLITE -> Databases.sqlite(freshSqliteFile());
            case POSTGRESQL -> Databases.postgresql(freshPostgresql());
        };
    }

    public static Path freshSqliteFile() {
        try {
            Path folder = Files.createTempDirectory("satchel-test-");
            folder.toFile().deleteOnExit();
            return folder.resolve("satchel.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL of an empty database, as an operator would write it into DATABASE_URL. */
    public static URI freshPostgresql() {
        String name = "test_" + COUNT.incrementAndGet();
        try (Connection connection = Postgres.SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return URI.create(
                "postgresql://postgres:postgres@localhost:"
                        + Postgres.SERVER.getPort()
                        + "/"
                        + name);
    }

    /** Started on first use, stopped with the test JVM. */
    private static final class Postgres {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().setServerConfig("max_connections", "300").start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
