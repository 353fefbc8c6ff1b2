package dev.satchel.runner.bag;

import java.io.IOException;

/** The bag is damaged, too large or has illegal names. Nothing was unpacked. */
public final class BagRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    public BagRefusedException(String message) {
        super(message);
    }
}
