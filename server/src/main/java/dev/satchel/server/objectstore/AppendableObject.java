package dev.satchel.server.objectstore;

import dev.satchel.http.security.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/**
 * An object that is written on where it lies. Whoever knows its key sees what is there so far; what
 * a flush has followed survives a crash. For one thread, but that another may flush.
 */
public final class AppendableObject implements AutoCloseable {
    private final FileChannel channel;
    private final EarlyFlush early;
    private final MessageDigest hash = Sha256.newDigest();
    private long size;

    AppendableObject(FileChannel channel, EarlyFlush early) {
        this.channel = channel;
        this.early = early;
    }

    public void write(byte[] bytes, int offset, int length) throws IOException {
        hash.update(bytes, offset, length);
        ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
        while (left.hasRemaining()) {
            size += channel.write(left);
        }
        early.written(size);
    }

    public void flush() throws IOException {
        channel.force(false);
    }

    /** The hash of all that was written; to be asked once, at the end. */
    public String sha256() {
        return Sha256.hex(hash);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            early.close();
        }
    }
}
