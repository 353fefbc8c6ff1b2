package dev.satchel.http.connection;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The response body as a blocking stream. A write blocks while the socket is full and throws when
 * it is closed.
 */
public final class ResponseBody extends OutputStream {
    private final HttpServerResponse response;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final boolean headOnly;
    private boolean closedByClient;

    public ResponseBody(HttpServerResponse response, boolean headOnly) {
        this.response = response;
        this.headOnly = headOnly;
        response.drainHandler(_ -> wake(false));
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (headOnly) {
            return;
        }
        awaitWritable();
        Buffer buffer = Buffer.buffer(length);
        buffer.appendBytes(bytes, offset, length);
        response.write(buffer);
    }

    @Override
    public void close() {
        if (!response.ended() && !response.closed()) {
            response.end();
        }
    }

    /** Wakes a blocked writer, which then fails. */
    public void clientDisconnected() {
        wake(true);
    }

    private void awaitWritable() throws IOException {
        if (response.closed()) {
            throw new ClientDisconnectedException();
        }
        if (!response.writeQueueFull()) {
            return;
        }
        lock.lock();
        try {
            while (response.writeQueueFull() && !closedByClient && !response.closed()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing the response");
        } finally {
            lock.unlock();
        }
        if (closedByClient || response.closed()) {
            throw new ClientDisconnectedException();
        }
    }

    private void wake(boolean clientClosed) {
        lock.lock();
        try {
            closedByClient |= clientClosed;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
