package dev.satchel.server.snapshot;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** So many bytes of a longer stream, which stays open. */
final class FrameInputStream extends InputStream {
    private final InputStream in;
    private long rest;

    FrameInputStream(InputStream in, long length) {
        this.in = in;
        this.rest = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (rest == 0) {
            return -1;
        }
        int count = in.read(target, offset, (int) Math.min(length, rest));
        if (count < 0) {
            throw new EOFException("a pack ended " + rest + " bytes early");
        }
        rest -= count;
        return count;
    }

    /** Leaves the longer stream at the end of this one. */
    void drain() throws IOException {
        in.skipNBytes(rest);
        rest = 0;
    }
}
