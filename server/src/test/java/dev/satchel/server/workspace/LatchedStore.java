package dev.satchel.server.workspace;

import dev.satchel.server.objectstore.DelegatingObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;

/** A store that takes nothing in before it is released. */
final class LatchedStore extends DelegatingObjectStore {
    private final CountDownLatch released;

    LatchedStore(ObjectStore real, CountDownLatch released) {
        super(real);
        this.released = released;
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
        }
        return super.put(key, content);
    }
}
