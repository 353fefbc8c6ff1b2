package dev.satchel.server.objectstore;

import dev.satchel.filesystem.linux.CFunction;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/**
 * Asks the kernel to write a large file to the disk while it still grows, so that the flush at its
 * end waits less. This is only a hint: the flush makes the file durable and reports failures. The
 * system calls are those of Linux.
 */
final class EarlyWriteback implements AutoCloseable {
    private static final long STEP_BYTES = 8L << 20;
    private static final int WRITE_ONLY = 1;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int START_WRITING = 2; // SYNC_FILE_RANGE_WRITE: start, do not wait
    private static final int NONE = -1;

    private static final CFunction OPEN = CFunction.named("open");
    private static final CFunction START = CFunction.named("sync_file_range");
    private static final CFunction CLOSE = CFunction.named("close");

    private final Path file;
    private int descriptor = NONE;
    private long requested;

    EarlyWriteback(Path file) {
        this.file = file;
    }

    /** Must be called with the size after every write. Does nothing for small files. */
    void written(long bytes) {
        if (bytes - requested < STEP_BYTES) {
            return;
        }
        if (requested == 0) {
            descriptor = open();
        }
        if (descriptor != NONE) {
            start(bytes);
        }
        requested = bytes;
    }

    /**
     * Must be called after the lock is released: closing any descriptor of a file ends its locks.
     */
    @Override
    public void close() {
        if (descriptor == NONE) {
            return;
        }
        int _ = CLOSE.call(descriptor);
        descriptor = NONE;
    }

    private int open() {
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(file.toString()).address();
            return Math.max(NONE, OPEN.call(name, WRITE_ONLY | CLOSE_ON_EXEC));
        }
    }

    private void start(long until) {
        int _ = START.call(descriptor, requested, until - requested, START_WRITING);
    }
}
