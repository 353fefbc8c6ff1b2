package dev.satchel.documents.xml;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what a compressed file unpacks to, and stops it when that is out of proportion. */
public final class InflationLimit {
    private static final long ALWAYS_ALLOWED = 32L * 1024 * 1024;
    private static final long MIB = 1024 * 1024;

    private static final int SKIP_BYTES = 64 * 1024;

    private final long fileSize;
    private final UnpackingLimits limits;
    private long inflated;

    public InflationLimit(long fileSize, UnpackingLimits limits) {
        this.fileSize = fileSize;
        this.limits = limits;
    }

    /** The same content, counted. */
    public InputStream count(InputStream content) {
        return new FilterInputStream(content) {
            @Override
            public int read() throws IOException {
                int value = super.read();
                add(value < 0 ? 0 : 1);
                return value;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int count = super.read(buffer, offset, length);
                add(count);
                return count;
            }

            @Override
            public long skip(long length) throws IOException {
                byte[] skipped = new byte[Math.clamp(length, 0, SKIP_BYTES)];
                return Math.max(0, read(skipped, 0, skipped.length));
            }
        };
    }

    private void add(int count) throws DocumentException {
        inflated += Math.max(0, count);
        if (inflated > ALWAYS_ALLOWED && inflated / limits.maxTimes() > fileSize) {
            throw new DocumentException(
                    Failure.Code.BOMB,
                    "The file unpacks to more than " + limits.maxTimes() + " times its size.");
        }
        if (inflated > limits.maxBytes()) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The file unpacks to more than " + limits.maxBytes() / MIB + " MB.");
        }
    }
}
