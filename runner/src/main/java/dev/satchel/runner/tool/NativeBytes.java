package dev.satchel.runner.tool;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Finds a byte with the C library, which compares 32 and more at a time. */
final class NativeBytes {
    private static final MethodHandle MEMCHR = memchr();

    private NativeBytes() {}

    /** Where a byte stands for the first time between two offsets, or -1. Not for the heap. */
    static int find(MemorySegment block, byte wanted, int from, int to) {
        MemorySegment part = block.asSlice(from, to - from);
        long address = memchr(part, wanted & 0xff);
        return address == 0 ? -1 : (int) (address - block.address());
    }

    private static long memchr(MemorySegment part, int wanted) {
        try {
            return (long) MEMCHR.invokeExact(part, wanted, part.byteSize());
        } catch (Throwable e) {
            throw new IllegalStateException("a native call broke", e);
        }
    }

    /** Critical, for it is over in microseconds; its result is compared, never followed. */
    @SuppressWarnings("restricted")
    private static MethodHandle memchr() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("memchr"),
                FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT, JAVA_LONG),
                Linker.Option.critical(false));
    }
}
