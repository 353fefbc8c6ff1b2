package dev.satchel.server.application;

import dev.satchel.server.configuration.DatabaseConfiguration;
import dev.satchel.server.configuration.DatabaseConfiguration.Postgresql;
import dev.satchel.server.configuration.DatabaseConfiguration.Sqlite;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.NewerDatabaseException;
import dev.satchel.server.database.SqliteLibrary;
import java.io.IOException;
import java.nio.file.Path;

/** Opens the configured database; a failure becomes one line for the operator. */
public final class DatabaseOpener {
    private DatabaseOpener() {}

    /** The data folder of SQLite must be locked, since SQLite has one writer. */
    public static Database open(DatabaseConfiguration configuration) throws StartException {
        return switch (configuration) {
            case Sqlite sqlite -> sqlite(sqlite.file());
            case Postgresql postgresql -> postgresql(postgresql);
        };
    }

    /** Connects to PostgreSQL without changing anything. */
    public static void ping(Postgresql configuration) throws StartException {
        try {
            Databases.ping(configuration.url());
        } catch (RuntimeException e) {
            throw failure(configuration.toString(), e);
        }
    }

    private static Database sqlite(Path file) throws StartException {
        Path directory = file.resolveSibling("");
        try {
            SqliteLibrary.unpackIn(directory);
            return Databases.sqlite(file);
        } catch (IOException e) {
            throw new StartException("cannot unpack SQLite's library in " + directory, e);
        } catch (RuntimeException e) {
            throw failure(file.toString(), e);
        }
    }

    private static Database postgresql(Postgresql configuration) throws StartException {
        try {
            return Databases.postgresql(configuration.url());
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
