package dev.satchel.cli;

import dev.satchel.client.TransferProgressListener;

/** Shows the progress of a transfer. {@code done} is called only if the transfer succeeded. */
interface TransferProgress extends TransferProgressListener, AutoCloseable {
    void done();

    @Override
    void close();
}
