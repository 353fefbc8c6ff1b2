package dev.satchel.server.configuration;

import java.nio.file.Path;

/** Where rows, objects and the server's own files are stored. */
public record StorageConfiguration(
        Path dataDirectory, DatabaseConfiguration database, ObjectStoreConfiguration objects) {

    /** Everything in the data folder. */
    public static StorageConfiguration local(Path dataDirectory) {
        return new StorageConfiguration(
                dataDirectory,
                DatabaseConfiguration.Sqlite.in(dataDirectory),
                ObjectStoreConfiguration.Local.in(dataDirectory));
    }
}
