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
 * Limits the memory that large JSON bodies use at the same time. Such a body has files in it and is
 * held whole; without a limit a few of them would use up the heap.
 */
final class JsonBodyMemory {
    /** Bodies up to this size need no reservation. */
    static final int FREE_BYTES = 1024 * 1024;

    /** A body is held as bytes, as text and decoded. */
    private static final int COPIES = 4;

    /** Half of the memory is for everything else. */
    private static final int SHARE = 2;

    private static final int UNIT = 1024;

    private final int units;
    private final Semaphore free;
    private final Duration timeout;

    /**
     * Uses a part of {@code memoryBytes}.
     *
     * @param timeout how long a body waits for memory
     */
    JsonBodyMemory(long memoryBytes, Duration timeout) {
        this.units = (int) Math.min(Integer.MAX_VALUE, memoryBytes / SHARE / COPIES / UNIT);
        this.free = new Semaphore(units);
        this.timeout = timeout;
    }

    Reservation newReservation() {
        return new Reservation();
    }

    /** The memory of one request, until its response is complete. */
    final class Reservation implements AutoCloseable {
        private int reserved;

        /**
         * Waits for memory and returns the same body.
         *
         * @param announced the Content-Length; negative when there is none
         */
        InputStream admit(InputStream body, long announced, long maxBytes) throws IOException {
            if (Math.min(maxBytes, announced < 0 ? maxBytes : announced) <= FREE_BYTES) {
                return body;
            }
            if (announced >= 0) {
                reserve(announced);
                return body;
            }
            byte[] start = body.readNBytes(FREE_BYTES);
            InputStream read = new ByteArrayInputStream(start);
            if (start.length < FREE_BYTES) {
                return read;
            }
            long limit = Math.min(maxBytes, (long) units * UNIT);
            reserve(limit);
            InputStream all = new SequenceInputStream(read, body);
            return BoundedInputStream.refusingMoreThan(all, limit, "the body");
        }

        @Override
        public void close() {
            free.release(reserved);
            reserved = 0;
        }

        private void reserve(long bytes) throws IOException {
            long needed = Math.ceilDiv(bytes, UNIT);
            if (needed > units) {
                throw BoundedInputStream.tooLarge("the body", (long) units * UNIT);
            }
            try {
                if (!free.tryAcquire((int) needed, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new SatchelException(
                                    ErrorCode.UNAVAILABLE,
                                    "too many large requests at once, try again in a moment")
                            .withHeaders(Map.of("Retry-After", "5"));
                }
                reserved += (int) needed;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for memory");
            }
        }
    }
}
