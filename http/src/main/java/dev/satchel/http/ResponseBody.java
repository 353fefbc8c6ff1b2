package dev.satchel.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The response body as a blocking stream: a full socket blocks the writer, a closed one is an
 * IOException.
 */
final class ResponseBody extends OutputStream {
    private final HttpServerResponse response;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final boolean headOnly;
    private boolean closedByClient;

    ResponseBody(HttpServerResponse response, boolean headOnly) {
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
        awaitRoom();
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

    /** Told by the exchange when the connection is gone. */
    void clientGone() {
        wake(true);
    }

    private void awaitRoom() throws IOException {
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

    private void wake(boolean gone) {
        lock.lock();
        try {
            closedByClient |= gone;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
