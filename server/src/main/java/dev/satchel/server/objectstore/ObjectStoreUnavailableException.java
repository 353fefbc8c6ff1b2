package dev.satchel.server.objectstore;

import java.io.IOException;

/** The object store does not answer or refuses what it should do; a retry may succeed. */
public final class ObjectStoreUnavailableException extends IOException {
    public ObjectStoreUnavailableException(String message) {
        super(message);
    }

    ObjectStoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
