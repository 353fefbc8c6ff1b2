package dev.satchel.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the memory that large JSON bodies use at the same time. Such a body has files in it and is
 * held whole; without a limit a few of them would use up the heap. A body is charged by the bytes
 * that have arrived, so that one that is announced and never sent costs nothing.
 */
final class JsonBodyMemory {
    /** The first bytes of a body need no reservation. */
    static final int FREE_BYTES = 1024 * 1024;

    private static final int STEP_BYTES = 64 * 1024;

    /** A body is held as bytes, as text and decoded. */
    private static final int COPIES = 4;

    /** Half of the memory is for everything else. */
    private static final int SHARE = 2;

    private final int steps;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by the lock; the oldest reservation is the first
    private final SequencedSet<Reservation> holders = new LinkedHashSet<>();
    private int free;

    /**
     * Uses a part of {@code memoryBytes}.
     *
     * @param timeout how long a body waits for memory
     */
    JsonBodyMemory(long memoryBytes, Duration timeout) {
        this.steps = (int) Math.min(Integer.MAX_VALUE, memoryBytes / SHARE / COPIES / STEP_BYTES);
        this.free = steps;
        this.timeout = timeout;
    }

    Reservation newReservation() {
        return new Reservation();
    }

    private long maxBytes() {
        return Math.max(FREE_BYTES, (long) steps * STEP_BYTES);
    }

    /** The memory of one request, until its response is complete. */
    final class Reservation implements AutoCloseable {
        // guarded by the lock
        private int reserved;
        private boolean waits;

        /**
         * Returns the same body, whose reads wait for memory.
         *
         * @param announced the Content-Length; negative when there is none
         */
        InputStream admit(InputStream body, long announced, long maxBytes) {
            if (Math.min(maxBytes, announced < 0 ? maxBytes : announced) <= FREE_BYTES) {
                return body;
            }
            long limit = Math.min(maxBytes, maxBytes());
            if (announced > limit) {
                throw BoundedInputStream.tooLarge("the body", limit);
            }
            InputStream bounded = BoundedInputStream.refusingMoreThan(body, limit, "the body");
            return new ChargedInputStream(bounded, this);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (holders.remove(this)) {
                    free += reserved;
                    reserved = 0;
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        /**
         * Waits for the memory of one more step. When all bodies that have memory wait for more,
         * the newest of them is refused, so that the others can end.
         */
        private void reserveStep() throws IOException {
            lock.lock();
            waits = true;
            changed.signalAll(); // another may be the newest of those that wait
            try {
                long left = timeout.toNanos();
                while (free == 0) {
                    if (left <= 0 || isNewestOfAllThatWait()) {
                        throw new SatchelException(
                                        ErrorCode.UNAVAILABLE,
                                        "too many large requests at once, try again in a moment")
                                .withHeaders(Map.of("Retry-After", "5"));
                    }
                    left = changed.awaitNanos(left);
                }
                free--;
                reserved++;
                holders.add(this);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for memory");
            } finally {
                waits = false;
                lock.unlock();
            }
        }

        private boolean isNewestOfAllThatWait() {
            return !holders.isEmpty()
                    && holders.getLast().equals(this)
                    && holders.stream().allMatch(holder -> holder.waits);
        }
    }

    /** Reserves memory before it reads what needs it. */
    private static final class ChargedInputStream extends FilterInputStream {
        private final Reservation reservation;
        private int paid = FREE_BYTES;

        ChargedInputStream(InputStream in, Reservation reservation) {
            super(in);
            this.reservation = reservation;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (paid == 0 && length > 0) {
                reservation.reserveStep();
                paid = STEP_BYTES;
            }
            int count = in.read(target, offset, Math.min(length, paid));
            paid -= Math.max(count, 0);
            return count;
        }
    }
}
