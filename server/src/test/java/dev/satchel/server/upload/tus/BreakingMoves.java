package dev.satchel.server.upload.tus;

import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoreInFront;
import java.io.IOException;

/** A real store whose moves end as a crash would, before or after the bytes have moved. */
public final class BreakingMoves extends StoreInFront {
    public enum Moment {
        BEFORE_THE_BYTES_MOVED,
        AFTER_THE_BYTES_MOVED
    }

    private final Moment moment;

    public BreakingMoves(ObjectStore real, Moment moment) {
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
