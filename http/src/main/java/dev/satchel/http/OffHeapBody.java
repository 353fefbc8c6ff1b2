package dev.satchel.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.OutputStream;

/**
 * A large body that is complete before it is sent, in direct memory: the socket writes from it
 * without a copy, and the garbage collector does not scan it. The creator closes it; after sending,
 * that has no effect.
 */
public final class OffHeapBody extends OutputStream {
    private static final int INITIAL_BYTES = 64 * 1024;

    private final ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(INITIAL_BYTES);
    private boolean sent;

    @Override
    public void write(int b) {
        bytes.writeByte(b);
    }

    @Override
    public void write(byte[] more, int offset, int length) {
        bytes.writeBytes(more, offset, length);
    }

    int length() {
        return bytes.readableBytes();
    }

    /** Releases the memory afterwards, since Vert.x does not. */
    void sendTo(HttpServerResponse response) {
        sent = true;
        try {
            response.end(BufferInternal.buffer(bytes)).onComplete(_ -> bytes.release());
        } catch (IllegalStateException e) {
            bytes.release(); // the client has disconnected
            throw e;
        }
    }

    @Override
    public void close() {
        if (!sent) {
            sent = true;
            bytes.release();
        }
    }
}
