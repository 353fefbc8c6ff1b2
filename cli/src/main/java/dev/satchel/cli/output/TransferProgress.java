package dev.satchel.cli.output;

import dev.satchel.client.TransferProgressListener;

/** Shows the progress of a transfer. {@code done} is called only if the transfer succeeded. */
public interface TransferProgress extends TransferProgressListener, AutoCloseable {
    void done();

    @Override
    void close();
}
