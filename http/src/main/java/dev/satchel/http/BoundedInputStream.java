package dev.satchel.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads at most a number of bytes of another stream. Closing it closes that stream. */
public final class BoundedInputStream extends FilterInputStream {
    private final long limit;
    private final @Nullable String refused;
    private long remaining;

    private BoundedInputStream(InputStream in, long limit, @Nullable String refused) {
        super(in);
        this.limit = limit;
        this.refused = refused;
        this.remaining = limit;
    }

    /** Ends after {@code length} bytes, also when the other stream has more. */
    public static BoundedInputStream endingAfter(InputStream in, long length) {
        return new BoundedInputStream(in, length, null);
    }

    /**
     * Throws a 413 when the other stream has more than {@code limit} bytes; the message names
     * {@code what} is too large.
     */
    public static BoundedInputStream refusingMoreThan(InputStream in, long limit, String what) {
        return new BoundedInputStream(in, limit, what);
    }

    static SatchelException tooLarge(String what, long limit) {
        return new SatchelException(
                ErrorCode.TOO_LARGE, what + " is larger than the limit of " + limit + " bytes");
    }

    @Override
    public int read() throws IOException {
        if (remaining == 0) {
            return requireNoMore();
        }
        int b = in.read();
        remaining -= b < 0 ? 0 : 1;
        return b;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (remaining == 0 && length > 0) {
            return requireNoMore();
        }
        int count = in.read(target, offset, (int) Math.min(length, remaining));
        remaining -= Math.max(count, 0);
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = in.skip(Math.min(count, remaining));
        remaining -= skipped;
        return skipped;
    }

    /** Skips the bytes up to the limit; throws EOFException when there are fewer. */
    public void skipRemaining() throws IOException {
        in.skipNBytes(remaining);
        remaining = 0;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(in.available(), remaining);
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private int requireNoMore() throws IOException {
        if (refused != null && in.read() >= 0) {
            throw tooLarge(refused, limit);
        }
        return -1;
    }
}
