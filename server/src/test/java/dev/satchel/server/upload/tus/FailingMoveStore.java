package dev.satchel.server.upload.tus;

import dev.satchel.server.objectstore.DelegatingObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;

/** A real store whose moves fail as in a crash, before or after the bytes are moved. */
public final class FailingMoveStore extends DelegatingObjectStore {
    public enum Moment {
        BEFORE_THE_BYTES_MOVED,
        AFTER_THE_BYTES_MOVED
    }

    private final Moment moment;

    public FailingMoveStore(ObjectStore real, Moment moment) {
        super(real);
        this.moment = moment;
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        if (moment == Moment.AFTER_THE_BYTES_MOVED) {
            super.move(from, to);
        }
        throw new IOException("crashed");
    }

    @Override
    public void close() {
        // the real one is closed by its owner
    }
}
