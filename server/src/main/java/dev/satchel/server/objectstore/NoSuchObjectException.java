package dev.satchel.server.objectstore;

import java.io.IOException;

/** There is no object with this key. */
public final class NoSuchObjectException extends IOException {
    private final transient ObjectKey key;

    public NoSuchObjectException(ObjectKey key) {
        super("no object " + key);
        this.key = key;
    }

    public ObjectKey key() {
        return key;
    }
}
