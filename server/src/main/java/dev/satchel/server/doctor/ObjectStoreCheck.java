package dev.satchel.server.doctor;

import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Stores a few bytes, reads them back and deletes them. */
public final class ObjectStoreCheck {
    private static final String NAME = "object store";

    private ObjectStoreCheck() {}

    public static Finding check(ObjectStore store, String where) {
        ObjectKey key = ObjectKey.of("doctor", UUID.randomUUID().toString());
        byte[] bytes = key.value().getBytes(StandardCharsets.UTF_8);
        try {
            store.put(key, new ByteArrayInputStream(bytes));
            try (InputStream content = store.open(key)) {
                if (!Arrays.equals(content.readAllBytes(), bytes)) {
                    return Finding.problem(NAME, where + " returns other bytes than were stored");
                }
            } finally {
                store.delete(key);
            }
            return Finding.ok(NAME, where);
        } catch (IOException | RuntimeException e) {
            return Finding.problem(NAME, where + ": " + Finding.problem(NAME, e).detail());
        }
    }
}
