package dev.satchel.cli;

import dev.satchel.client.TransferProgressListener;

/** Shows a transfer until it is closed, which is said aloud only when it was done. */
interface TransferProgress extends TransferProgressListener, AutoCloseable {
    void done();

    @Override
    void close();
}
