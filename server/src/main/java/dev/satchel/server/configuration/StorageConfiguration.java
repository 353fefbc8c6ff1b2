package dev.satchel.server.configuration;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where rows, objects and the server's own files are stored.
 *
 * @param secretKey the key that protects stored credentials; null for one in the data folder
 */
public record StorageConfiguration(
        Path dataDirectory,
        DatabaseConfiguration database,
        ObjectStoreConfiguration objects,
        @Nullable Secret secretKey) {

    /** With the key of the data folder. */
    public StorageConfiguration(
            Path dataDirectory, DatabaseConfiguration database, ObjectStoreConfiguration objects) {
        this(dataDirectory, database, objects, null);
    }

    /** Everything in the data folder. */
    public static StorageConfiguration local(Path dataDirectory) {
        return new StorageConfiguration(
                dataDirectory,
                DatabaseConfiguration.Sqlite.in(dataDirectory),
                ObjectStoreConfiguration.Local.in(dataDirectory));
    }
}
