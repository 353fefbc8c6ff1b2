package dev.satchel.server.configuration;

import dev.satchel.server.database.PostgresqlUrl;
import java.net.URI;
import java.nio.file.Path;

/** The database of a server. */
public sealed interface DatabaseConfiguration {
    record Sqlite(Path file) implements DatabaseConfiguration {
        public static Sqlite in(Path dataDirectory) {
            return new Sqlite(dataDirectory.resolve("satchel.db"));
        }
    }

    /** The URL may contain a password, which {@code toString} leaves out. */
    record Postgresql(URI url) implements DatabaseConfiguration {
        @Override
        public String toString() {
            return new PostgresqlUrl(url).toString();
        }
    }
}
