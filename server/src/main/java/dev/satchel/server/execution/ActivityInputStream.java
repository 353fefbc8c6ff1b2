package dev.satchel.server.execution;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Tells of every byte that comes: a runner that only sends blank lines is alive, one that sends
 * nothing may not be.
 */
final class ActivityInputStream extends FilterInputStream {
    private final Runnable heard;

    ActivityInputStream(InputStream in, Runnable heard) {
        super(in);
        this.heard = heard;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        heard.run();
        return b;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = super.read(target, offset, length);
        heard.run();
        return count;
    }
}
