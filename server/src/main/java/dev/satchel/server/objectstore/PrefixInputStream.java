package dev.satchel.server.objectstore;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream, up to a number. */
final class PrefixInputStream extends FilterInputStream {
    private long remaining;

    PrefixInputStream(InputStream in, long length) {
        super(in);
        this.remaining = length;
    }

    @Override
    public int read() throws IOException {
        if (remaining == 0) {
            return -1;
        }
        int b = in.read();
        remaining -= b < 0 ? 0 : 1;
        return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (remaining == 0 && length > 0) {
            return -1;
        }
        int n = in.read(bytes, offset, (int) Math.min(length, remaining));
        remaining -= Math.max(n, 0);
        return n;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = in.skip(Math.min(count, remaining));
        remaining -= skipped;
        return skipped;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(in.available(), remaining);
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
