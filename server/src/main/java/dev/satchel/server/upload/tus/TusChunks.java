package dev.satchel.server.upload.tus;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A body cut into pieces of bounded length. When the connection breaks, the piece in hand ends
 * there: what has come is kept, and {@link #failure} tells that there should have been more.
 */
final class TusChunks {
    private final PushbackInputStream body;
    private final int maxBytes;
    private @Nullable IOException failure;

    TusChunks(InputStream body, int maxBytes) {
        this.body = new PushbackInputStream(body, 1);
        this.maxBytes = maxBytes;
    }

    /** The next piece, which has at least one byte, or empty at the end. */
    Optional<InputStream> next() {
        try {
            int first = failure == null ? body.read() : -1;
            if (first < 0) {
                return Optional.empty();
            }
            body.unread(first);
            return Optional.of(new Piece(body));
        } catch (IOException e) {
            failure = e;
            return Optional.empty();
        }
    }

    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    private final class Piece extends FilterInputStream {
        private int left = maxBytes;

        Piece(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left == 0 || failure != null) {
                return -1;
            }
            try {
                int n = in.read(target, offset, Math.min(length, left));
                left -= Math.max(n, 0);
                return n;
            } catch (IOException e) {
                failure = e;
                return -1;
            }
        }

        @Override
        public void close() {
            // the body goes on after this piece
        }
    }
}
