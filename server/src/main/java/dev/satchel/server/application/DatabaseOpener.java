package dev.satchel.server.application;

import dev.satchel.server.configuration.Configuration.DatabaseUrl;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.NewerDatabaseException;
import java.io.IOException;
import java.nio.file.Path;

/** Opens the configured database, and says in one line why that is not possible. */
public final class DatabaseOpener {
    public static final String FILE = "satchel.db";

    private DatabaseOpener() {}

    /** In the data folder; it must be locked, since SQLite has one writer. */
    public static Database sqlite(Path folder) throws StartException {
        Path file = folder.resolve(FILE);
        try {
            SqliteLibrary.unpackIn(folder);
            return Databases.sqlite(file);
        } catch (IOException e) {
            throw new StartException("cannot unpack SQLite's library in " + folder, e);
        } catch (RuntimeException e) {
            throw failure(file.toString(), e);
        }
    }

    public static Database postgresql(DatabaseUrl url) throws StartException {
        try {
            return Databases.postgresql(url.value());
        } catch (RuntimeException e) {
            throw failure(url.toString(), e);
        }
    }

    /** Whether PostgreSQL lets us in; nothing there is changed. */
    public static void ping(DatabaseUrl url) throws StartException {
        try {
            Databases.ping(url.value());
        } catch (RuntimeException e) {
            throw failure(url.toString(), e);
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
