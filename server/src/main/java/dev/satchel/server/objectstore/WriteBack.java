package dev.satchel.server.objectstore;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Has a large file carried to the disk while it still grows, so that the flush at its end has
 * little left to wait for. Only a hint that nobody waits for: the flush is still what makes the
 * file durable, and what tells of a failure. Its system calls are Linux's, as the sandbox's are.
 */
final class WriteBack implements AutoCloseable {
    private static final long STEP_BYTES = 8L << 20;
    private static final int WRITE_ONLY = 1;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int START_WRITING = 2; // SYNC_FILE_RANGE_WRITE: begin, do not wait
    private static final int NONE = -1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN = bind("open", ADDRESS, JAVA_INT);
    private static final MethodHandle START =
            bind("sync_file_range", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CLOSE = bind("close", JAVA_INT);

    private final Path file;
    private int descriptor = NONE;
    private long begun;

    WriteBack(Path file) {
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
        try {
            int _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw broken(e);
        }
        descriptor = NONE;
    }

    private int open() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(file.toString());
            return (int) OPEN.invokeExact(name, WRITE_ONLY | CLOSE_ON_EXEC);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    private void start(long until) {
        try {
            int _ = (int) START.invokeExact(descriptor, begun, until - begun, START_WRITING);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    private static IllegalStateException broken(Throwable e) {
        return new IllegalStateException("a native call broke", e);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, arguments));
    }
}
