package dev.satchel.http;

import java.io.IOException;

/** Nobody is there any more to read the answer: not a failure of anybody's. */
public final class ClientDisconnectedException extends IOException {
    ClientDisconnectedException() {
        this("the client went away");
    }

    ClientDisconnectedException(String message) {
        super(message);
    }
}
