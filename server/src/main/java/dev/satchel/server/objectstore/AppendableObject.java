package dev.satchel.server.objectstore;

import dev.satchel.http.security.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/**
 * An object that is written step by step. Readers see the bytes written so far; flushed bytes
 * survive a crash. One thread writes; another may flush.
 */
public final class AppendableObject implements AutoCloseable {
    private final FileChannel channel;
    private final EarlyWriteback writeback;
    private final MessageDigest hash = Sha256.newDigest();
    private long size;

    AppendableObject(FileChannel channel, EarlyWriteback writeback) {
        this.channel = channel;
        this.writeback = writeback;
    }

    public void write(byte[] bytes, int offset, int length) throws IOException {
        hash.update(bytes, offset, length);
        ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
        while (left.hasRemaining()) {
            size += channel.write(left);
        }
        writeback.written(size);
    }

    public void flush() throws IOException {
        channel.force(false);
    }

    /** The hash of all bytes written. Must be called once, at the end. */
    public String sha256() {
        return Sha256.hex(hash);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            writeback.close();
        }
    }
}
