package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.InputStream;

/** An empty stream that runs a callback when it is read. */
final class CallbackInputStream extends InputStream {
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    private final Action action;

    CallbackInputStream(Action action) {
        this.action = action;
    }

    @Override
    public int read() throws IOException {
        action.run();
        return -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return read();
    }
}
