package dev.satchel.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Memory for JSON bodies that are long, since files come in them, and must be held whole. Without a
 * measure a few of them at once would take all there is, and the server with it.
 */
final class JsonBodyMemory {
    /** Bodies up to here are many and small, and need no measure. */
    static final int FREE_BYTES = 1024 * 1024;

    /** The bytes, the text read from them, and what that is decoded to. */
    private static final int COPIES = 4;

    /** The other half is everybody else's. */
    private static final int SHARE = 2;

    private static final int UNIT = 1024;

    private final int units;
    private final Semaphore free;
    private final Duration patience;

    /** Takes its part of so much memory; {@code patience} is how long a body waits for room. */
    JsonBodyMemory(long memoryBytes, Duration patience) {
        this.units = (int) Math.min(Integer.MAX_VALUE, memoryBytes / SHARE / COPIES / UNIT);
        this.free = new Semaphore(units);
        this.patience = patience;
    }

    Guest guest() {
        return new Guest();
    }

    /** What one request has taken, until it is answered. */
    final class Guest implements AutoCloseable {
        private int taken;

        /**
         * The same body, once there is room for it.
         *
         * @param announced how long the client says it is; negative when it does not say
         */
        InputStream admit(InputStream body, long announced, long maxBytes) throws IOException {
            if (Math.min(maxBytes, announced < 0 ? maxBytes : announced) <= FREE_BYTES) {
                return body;
            }
            if (announced >= 0) {
                take(announced);
                return body;
            }
            byte[] begin = body.readNBytes(FREE_BYTES);
            InputStream held = new ByteArrayInputStream(begin);
            if (begin.length < FREE_BYTES) {
                return held;
            }
            long most = Math.min(maxBytes, (long) units * UNIT);
            take(most);
            InputStream all = new SequenceInputStream(held, body);
            return new BoundedInputStream(all, most, "the body");
        }

        @Override
        public void close() {
            free.release(taken);
            taken = 0;
        }

        private void take(long bytes) throws IOException {
            long wanted = Math.ceilDiv(bytes, UNIT);
            if (wanted > units) {
                throw BoundedInputStream.tooLarge("the body", (long) units * UNIT);
            }
            try {
                if (!free.tryAcquire((int) wanted, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new SatchelException(
                                    ErrorCode.UNAVAILABLE,
                                    "too many large requests at once, try again in a moment")
                            .withHeaders(Map.of("Retry-After", "5"));
                }
                taken += (int) wanted;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for room");
            }
        }
    }
}
