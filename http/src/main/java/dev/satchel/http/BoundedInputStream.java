package dev.satchel.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Passes on at most a number of bytes; one more is a 413, whatever Content-Length said. */
public final class BoundedInputStream extends FilterInputStream {
    private final long limit;
    private final String what;
    private long count;

    public BoundedInputStream(InputStream in, long limit, String what) {
        super(in);
        this.limit = limit;
        this.what = what;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        counted(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int n = super.read(target, offset, length);
        counted(Math.max(n, 0));
        return n;
    }

    @Override
    public long skip(long n) throws IOException {
        long skipped = super.skip(n);
        counted(skipped);
        return skipped;
    }

    private void counted(long n) {
        count += n;
        if (count > limit) {
            throw tooLarge(what, limit);
        }
    }

    static SatchelException tooLarge(String what, long limit) {
        return new SatchelException(
                ErrorCode.TOO_LARGE, what + " is larger than the limit of " + limit + " bytes");
    }
}
