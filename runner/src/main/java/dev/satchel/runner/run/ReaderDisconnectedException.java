package dev.satchel.runner.run;

import java.io.IOException;

/** The client that reads the lines of a run has disconnected. */
final class ReaderDisconnectedException extends IOException {
    private static final long serialVersionUID = 1L;

    ReaderDisconnectedException(IOException cause) {
        super("the client has disconnected", cause);
    }
}
