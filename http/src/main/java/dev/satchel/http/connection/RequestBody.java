package dev.satchel.http.connection;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The request body as a blocking stream. The event loop adds chunks, one virtual thread reads them.
 * When the reader is slow, reading from the socket is paused, so memory stays bounded.
 */
public final class RequestBody extends InputStream {
    private static final int MAX_BUFFERED_BYTES = 512 * 1024;

    private final HttpServerRequest request;
    private final Context context;
    private final int bytesPerSecond;
    private final long longestWait;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Buffer> chunks = new ArrayDeque<>();
    private @Nullable Buffer current;
    private int position;
    private int buffered;
    private long waitLeft;
    private boolean flowing;
    private boolean started;
    private boolean ended;
    private boolean discarding;
    private @Nullable Throwable failure;
    private @Nullable Runnable afterwards;

    /**
     * Must be called on the event loop, before the first byte of the body can arrive.
     *
     * @param timeouts how slow the client may be
     */
    public RequestBody(HttpServerRequest request, Context context, ConnectionTimeouts timeouts) {
        this.request = request;
        this.context = context;
        this.bytesPerSecond = timeouts.bytesPerSecond();
        this.longestWait = timeouts.body().toNanos();
        this.waitLeft = longestWait;
        request.handler(this::arrived);
        request.endHandler(_ -> finish(null));
        request.exceptionHandler(this::finish);
    }

    public boolean fullyRead() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Runs when nothing of the body can arrive any more; at once if that is so already. */
    void whenEnded(Runnable action) {
        lock.lock();
        try {
            if (!ended) {
                afterwards = action;
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /** Receives and drops the rest of the body. Must be called on the event loop. */
    public void discard() {
        lock.lock();
        try {
            discarding = true;
            chunks.clear();
            request.resume();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        Buffer chunk = current == null ? nextChunk() : current;
        if (chunk == null) {
            return -1;
        }
        int count = Math.min(length, chunk.length() - position);
        chunk.getBytes(position, position + count, target, offset);
        position += count;
        current = position == chunk.length() ? null : chunk;
        return count;
    }

    private @Nullable Buffer nextChunk() throws IOException {
        lock.lock();
        try {
            start();
            awaitChunk();
            Buffer chunk = chunks.poll();
            if (chunk == null) {
                if (failure != null) {
                    throw new IOException("the request body is incomplete", failure);
                }
                return null;
            }
            position = 0;
            buffered -= chunk.length();
            earnTime(chunk.length());
            if (!flowing && buffered < MAX_BUFFERED_BYTES / 2) {
                flowing = true;
                context.runOnContext(_ -> request.resume());
            }
            return chunk;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading the request");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Without a limit, a client that sends nothing, or a byte now and then, would hold a thread, a
     * lease and memory for ever. Only the time counts in which the reader waits for the client.
     */
    private void awaitChunk() throws IOException, InterruptedException {
        while (chunks.isEmpty() && !ended) {
            if (waitLeft <= 0) {
                throw new RequestTimeoutException(
                        "the request body arrives too slowly: it may be at most "
                                + TimeUnit.NANOSECONDS.toSeconds(longestWait)
                                + " s behind "
                                + bytesPerSecond
                                + " bytes per second");
            }
            long began = System.nanoTime();
            changed.awaitNanos(waitLeft);
            waitLeft -= System.nanoTime() - began;
        }
    }

    /** What has arrived earns time to wait, up to the usual time. */
    private void earnTime(int bytes) {
        long earned = TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond;
        waitLeft = Math.min(longestWait, waitLeft + earned);
    }

    /** Asks the client for its body at the first read, as Expect: 100-continue requires. */
    private void start() {
        if (started) {
            return;
        }
        started = true;
        flowing = true;
        boolean clientWaits = "100-continue".equalsIgnoreCase(request.getHeader("Expect"));
        context.runOnContext(
                _ -> {
                    if (clientWaits) {
                        request.response().writeContinue();
                    }
                    request.resume();
                });
    }

    private void arrived(Buffer chunk) {
        lock.lock();
        try {
            if (discarding) {
                return;
            }
            chunks.add(chunk);
            buffered += chunk.length();
            if (buffered >= MAX_BUFFERED_BYTES && flowing) {
                flowing = false;
                request.pause();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void finish(@Nullable Throwable cause) {
        Runnable action;
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = cause;
            }
            action = afterwards;
            afterwards = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (action != null) {
            action.run();
        }
    }
}
