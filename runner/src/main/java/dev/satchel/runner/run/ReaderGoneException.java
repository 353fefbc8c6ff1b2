package dev.satchel.runner.run;

import java.io.IOException;

/** Nobody reads the lines of the run any more. */
final class ReaderGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ReaderGoneException(IOException cause) {
        super("nobody reads the run's lines any more", cause);
    }
}
