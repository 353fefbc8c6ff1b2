package dev.satchel.server.application;

import dev.satchel.server.configuration.DatabaseConfiguration;
import dev.satchel.server.configuration.DatabaseConfiguration.Postgresql;
import dev.satchel.server.configuration.DatabaseConfiguration.Sqlite;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.Migrations;
import dev.satchel.server.database.NewerDatabaseException;
import dev.satchel.server.database.SqliteLibrary;
import java.io.IOException;
import java.nio.file.Files;

/** Opens the configured database; a failure becomes one line for the operator. */
public final class DatabaseOpener {
    private DatabaseOpener() {}

    /** The data folder of SQLite must be locked, since SQLite has one writer. */
    public static Database open(DatabaseConfiguration configuration) throws StartException {
        return open(configuration, Migrations.newest());
    }

    /** Opens a database that servers may be using, with whatever schema it has. */
    public static Database withoutMigration(DatabaseConfiguration configuration)
            throws StartException {
        try {
            return switch (configuration) {
                case Sqlite sqlite -> {
                    if (!Files.exists(sqlite.file())) {
                        throw new StartException("there is no database " + sqlite.file());
                    }
                    SqliteLibrary.unpackIn(sqlite.file().resolveSibling(""));
                    yield Databases.withoutMigration(sqlite.file());
                }
                case Postgresql postgresql -> Databases.withoutMigration(postgresql.url());
            };
        } catch (IOException e) {
            throw new StartException("cannot unpack SQLite's library", e);
        } catch (RuntimeException e) {
            throw failure(configuration.toString(), e);
        }
    }

    /** As {@link #open}, with an earlier schema: that of the first steps. */
    public static Database open(DatabaseConfiguration configuration, int steps)
            throws StartException {
        try {
            return switch (configuration) {
                case Sqlite sqlite -> {
                    SqliteLibrary.unpackIn(sqlite.file().resolveSibling(""));
                    yield Databases.sqlite(sqlite.file(), steps);
                }
                case Postgresql postgresql -> Databases.postgresql(postgresql.url(), steps);
            };
        } catch (IOException e) {
            throw new StartException("cannot unpack SQLite's library", e);
        } catch (RuntimeException e) {
            throw failure(configuration.toString(), e);
        }
    }

    /** Connects to PostgreSQL without changing anything. */
    public static void ping(Postgresql configuration) throws StartException {
        try {
            Databases.ping(configuration.url());
        } catch (RuntimeException e) {
            throw failure(configuration.toString(), e);
        }
    }

    private static StartException failure(String place, RuntimeException failure) {
        if (failure instanceof NewerDatabaseException) {
            return new StartException(place + ": " + failure.getMessage(), failure);
        }
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new StartException("cannot open the database " + place + ": " + reason, failure);
    }
}
