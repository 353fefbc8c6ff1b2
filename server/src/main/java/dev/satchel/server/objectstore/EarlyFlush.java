package dev.satchel.server.objectstore;

import dev.satchel.filesystem.linux.CFunction;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/**
 * Has a large file carried to the disk while it still grows, so that the flush at its end has
 * little left to wait for. Only a hint that nobody waits for: the flush is still what makes the
 * file durable, and what tells of a failure. Its system calls are Linux's, as the sandbox's are.
 */
final class EarlyFlush implements AutoCloseable {
    private static final long STEP_BYTES = 8L << 20;
    private static final int WRITE_ONLY = 1;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int START_WRITING = 2; // SYNC_FILE_RANGE_WRITE: begin, do not wait
    private static final int NONE = -1;

    private static final CFunction OPEN = CFunction.named("open");
    private static final CFunction START = CFunction.named("sync_file_range");
    private static final CFunction CLOSE = CFunction.named("close");

    private final Path file;
    private int descriptor = NONE;
    private long begun;

    EarlyFlush(Path file) {
        this.file = file;
    }

    /** Hears how much has been written so far; small files never begin. */
    void written(long bytes) {
        if (bytes - begun < STEP_BYTES) {
            return;
        }
        if (begun == 0) {
            descriptor = open();
        }
        if (descriptor != NONE) {
            start(bytes);
        }
        begun = bytes;
    }

    /** Not before the file's lock may go: closing any descriptor of a file gives its locks back. */
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
        int _ = START.call(descriptor, begun, until - begun, START_WRITING);
    }
}
