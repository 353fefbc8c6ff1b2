package dev.satchel.server.bag;

import dev.satchel.server.objectstore.DelegatingObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;

/** A store that runs a sweep after each copy. */
final class SweepingObjectStore extends DelegatingObjectStore {
    private final Runnable sweep;

    SweepingObjectStore(ObjectStore real, Runnable sweep) {
        super(real);
        this.sweep = sweep;
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        super.copy(from, to);
        sweep.run();
    }
}
