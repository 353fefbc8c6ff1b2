package dev.satchel.http;

import java.io.IOException;

/** Nobody is there any more to read the answer: not a failure of anybody's. */
public final class ClientGoneException extends IOException {
    ClientGoneException() {
        this("the client went away");
    }

    ClientGoneException(String message) {
        super(message);
    }
}
