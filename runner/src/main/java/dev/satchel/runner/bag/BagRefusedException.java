package dev.satchel.runner.bag;

import java.io.IOException;

/** A bag that is broken, too large, or would write where it must not; nothing of it is unpacked. */
public final class BagRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    public BagRefusedException(String message) {
        super(message);
    }
}
