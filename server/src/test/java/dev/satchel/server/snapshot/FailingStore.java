package dev.satchel.server.snapshot;

import dev.satchel.server.objectstore.DelegatingObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;

/** A store that dies at a chosen call, as a killed process would: nothing works after it. */
final class FailingStore extends DelegatingObjectStore {
    private int callsLeft = Integer.MAX_VALUE;

    FailingStore(ObjectStore real) {
        super(real);
    }

    void dieAfter(int calls) {
        callsLeft = calls;
    }

    boolean died() {
        return callsLeft < 0;
    }

    void revive() {
        callsLeft = Integer.MAX_VALUE;
    }

    @Override
    protected ObjectStore real() throws IOException {
        if (--callsLeft < 0) {
            throw new IOException("killed");
        }
        return super.real();
    }
}
