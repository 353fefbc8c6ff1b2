package dev.satchel.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.OutputStream;

/**
 * A large body that is whole before any of it is sent, in memory that the socket writes from and
 * the collector never sees. Whoever makes one closes it; once it is sent, that does nothing.
 */
public final class OffHeapBody extends OutputStream {
    private static final int FIRST_BYTES = 64 * 1024;

    private final ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(FIRST_BYTES);
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

    /** Vert.x never releases what it is given, so that is done here, however it ends. */
    void sendTo(HttpServerResponse response) {
        sent = true;
        try {
            response.end(BufferInternal.buffer(bytes)).onComplete(_ -> bytes.release());
        } catch (IllegalStateException e) {
            bytes.release(); // nobody is there to send it to
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
