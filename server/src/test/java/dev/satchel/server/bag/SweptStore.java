package dev.satchel.server.bag;

import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoreInFront;
import java.io.IOException;

/** A store in which somebody sweeps right after each copy. */
final class SweptStore extends StoreInFront {
    private final Runnable sweep;

    SweptStore(ObjectStore real, Runnable sweep) {
        super(real);
        this.sweep = sweep;
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        super.copy(from, to);
        sweep.run();
    }
}
