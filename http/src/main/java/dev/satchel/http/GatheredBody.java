package dev.satchel.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.OutputStream;

/**
 * A large body that is whole before any of it is sent, in memory that the socket writes from and
 * the collector never sees. Whoever makes one closes it; once it is sent, that does nothing.
 */
public final class GatheredBody extends OutputStream {
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

    /** To be sent once; whoever sends it says when that is {@link #done}. */
    Buffer send() {
        sent = true;
        return BufferInternal.buffer(bytes); // which never releases what it is given
    }

    void done() {
        bytes.release();
    }

    @Override
    public void close() {
        if (!sent) {
            sent = true;
            bytes.release();
        }
    }
}
