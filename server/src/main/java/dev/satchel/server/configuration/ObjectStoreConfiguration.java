package dev.satchel.server.configuration;

import dev.satchel.server.objectstore.S3Settings;
import java.nio.file.Path;

/** The object store of a server. */
public sealed interface ObjectStoreConfiguration {
    record Local(Path directory) implements ObjectStoreConfiguration {
        public static Local in(Path dataDirectory) {
            return new Local(dataDirectory.resolve("objects"));
        }
    }

    record S3(S3Settings settings) implements ObjectStoreConfiguration {}
}
