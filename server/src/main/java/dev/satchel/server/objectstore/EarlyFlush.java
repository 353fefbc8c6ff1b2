package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Has a large file carried to the disk while it is still coming in, so that the flush at its end
 * has little left to wait for. One flush at a time; small files never begin one.
 */
final class EarlyFlush {
    private static final long STEP_BYTES = 8L << 20;

    private final FileChannel channel;
    private @Nullable Thread flushing;
    private volatile @Nullable IOException failure;
    private long begunAt;

    EarlyFlush(FileChannel channel) {
        this.channel = channel;
    }

    /** Hears how much has been written so far. */
    void written(long bytes) {
        Thread last = flushing;
        if (bytes - begunAt >= STEP_BYTES && (last == null || !last.isAlive())) {
            begunAt = bytes;
            flushing = Thread.ofVirtual().name("flush").start(this::flush);
        }
    }

    /**
     * Flushes the rest. The system tells a failure once, to whoever flushed then, so it is kept.
     */
    void finish() throws IOException {
        Thread last = flushing;
        if (last != null) {
            join(last);
        }
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
        channel.force(true);
    }

    private void flush() {
        try {
            channel.force(false);
        } catch (IOException e) {
            failure = e;
        }
    }

    private static void join(Thread thread) throws InterruptedIOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while flushing");
        }
    }
}
