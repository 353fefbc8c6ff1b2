package dev.satchel.http.connection;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
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
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Buffer> chunks = new ArrayDeque<>();
    private @Nullable Buffer current;
    private int position;
    private int buffered;
    private boolean flowing;
    private boolean started;
    private boolean ended;
    private boolean discarding;
    private @Nullable Throwable failure;

    /**
     * Must be called on the event loop, before the first byte of the body can arrive.
     *
     * @param timeout how long a reader waits for the next bytes
     */
    public RequestBody(HttpServerRequest request, Context context, Duration timeout) {
        this.request = request;
        this.context = context;
        this.timeout = timeout;
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

    /** Without a limit, a client that sends nothing would hold a thread and a lease for ever. */
    private void awaitChunk() throws IOException, InterruptedException {
        long left = timeout.toNanos();
        while (chunks.isEmpty() && !ended) {
            if (left <= 0) {
                throw new ClientDisconnectedException("the client sent nothing for " + timeout);
            }
            left = changed.awaitNanos(left);
        }
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
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = cause;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
