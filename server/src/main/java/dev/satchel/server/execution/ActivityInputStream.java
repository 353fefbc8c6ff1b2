package dev.satchel.server.execution;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reports every read that returns, so that a runner that sends only blank lines counts as alive.
 */
final class ActivityInputStream extends FilterInputStream {
    private final Runnable onActivity;

    ActivityInputStream(InputStream in, Runnable onActivity) {
        super(in);
        this.onActivity = onActivity;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        onActivity.run();
        return b;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = super.read(target, offset, length);
        onActivity.run();
        return count;
    }
}
