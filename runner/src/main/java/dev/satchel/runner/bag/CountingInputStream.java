package dev.satchel.runner.bag;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Counts the bytes of a zip, and checks whether it ends completely. */
final class CountingInputStream extends FilterInputStream {
    private static final int TAIL = 1024; // the end record has 22 bytes and perhaps a comment

    private final byte[] tail = new byte[TAIL];
    private long count;

    CountingInputStream(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    /** Reads to the end and checks for the end record of a zip. */
    boolean hasZipEnd() throws IOException {
        transferTo(OutputStream.nullOutputStream());
        for (long at = count - 22; at >= Math.max(0, count - TAIL); at--) {
            if (byteAt(at) == 'P'
                    && byteAt(at + 1) == 'K'
                    && byteAt(at + 2) == 5
                    && byteAt(at + 3) == 6) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = in.read(buffer, offset, length);
        for (int i = Math.max(0, read - TAIL); i < read; i++) {
            tail[(int) ((count + i) % TAIL)] = buffer[offset + i];
        }
        count += Math.max(read, 0);
        return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
        return readNBytes((int) Math.min(bytes, 8192)).length; // skipped bytes are counted too
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private byte byteAt(long position) {
        return tail[(int) (position % TAIL)];
    }
}
