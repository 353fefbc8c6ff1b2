package dev.satchel.server.upload.tus;

import dev.satchel.http.BoundedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A body split into chunks of bounded length. When the connection breaks, the current chunk ends
 * there, so that the bytes received so far are stored, and {@link #failure} has the cause.
 */
final class TusChunks {
    private final PushbackInputStream body;
    private final int maxBytes;
    private @Nullable IOException failure;

    TusChunks(InputStream body, int maxBytes) {
        this.body = new PushbackInputStream(new EndingAtFailure(body), 1);
        this.maxBytes = maxBytes;
    }

    /** The next chunk, which has at least one byte, or empty at the end. It must not be closed. */
    Optional<InputStream> next() throws IOException {
        int first = body.read();
        if (first < 0) {
            return Optional.empty();
        }
        body.unread(first);
        return Optional.of(BoundedInputStream.endingAfter(body, maxBytes));
    }

    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    private final class EndingAtFailure extends FilterInputStream {
        EndingAtFailure(InputStream in) {
            super(in);
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (failure != null) {
                return -1;
            }
            try {
                return in.read(target, offset, length);
            } catch (IOException e) {
                failure = e;
                return -1;
            }
        }
    }
}
