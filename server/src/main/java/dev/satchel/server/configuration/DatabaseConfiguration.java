package dev.satchel.server.configuration;

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
            int port = url.getPort();
            return "postgresql://" + url.getHost() + (port < 0 ? "" : ":" + port) + url.getPath();
        }
    }
}
