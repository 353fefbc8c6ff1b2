package dev.satchel.filesystem.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of the C library whose arguments are integers and addresses, and whose result is an
 * int or a length that fits into one.
 *
 * <p>One method handle serves all functions: 64-bit Linux passes the first six such arguments in
 * registers, also to variadic functions, and ignores the remaining registers. With a handle for
 * each signature the JVM would generate about ten classes for each one at every start.
 *
 * <p>Addresses are numbers, so the caller keeps the memory valid until the call returns.
 */
@SuppressWarnings("restricted") // the one place for native calls
public record CFunction(MemorySegment address) {
    private static final MethodHandle CALL =
            Linker.nativeLinker()
                    .downcallHandle(
                            FunctionDescriptor.of(
                                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                    JAVA_LONG, JAVA_LONG),
                            Linker.Option.captureCallState("errno"));

    public static CFunction named(String name) {
        return new CFunction(Linker.nativeLinker().defaultLookup().findOrThrow(name));
    }

    /** Memory for the errno of calls; may be used for many calls of one thread. */
    public static MemorySegment errnoIn(Arena arena) {
        return arena.allocate(Linker.Option.captureStateLayout());
    }

    /** Calls a function that has no arguments and cannot fail. */
    public int value() {
        try (Arena arena = Arena.ofConfined()) {
            return invoke(errnoIn(arena), 0, 0, 0, 0, 0, 0);
        }
    }

    /** Returns the result of the function, or the negative errno. */
    public int call(long first) {
        return call(first, 0, 0, 0, 0, 0);
    }

    public int call(long first, long second) {
        return call(first, second, 0, 0, 0, 0);
    }

    public int call(long first, long second, long third) {
        return call(first, second, third, 0, 0, 0);
    }

    public int call(long first, long second, long third, long fourth) {
        return call(first, second, third, fourth, 0, 0);
    }

    public int call(long first, long second, long third, long fourth, long fifth) {
        return call(first, second, third, fourth, fifth, 0);
    }

    public int call(long first, long second, long third, long fourth, long fifth, long sixth) {
        try (Arena arena = Arena.ofConfined()) {
            return call(errnoIn(arena), first, second, third, fourth, fifth, sixth);
        }
    }

    /** As above, with memory for the errno that the caller reuses. */
    public int call(
            MemorySegment errno,
            long first,
            long second,
            long third,
            long fourth,
            long fifth,
            long sixth) {
        int result = invoke(errno, first, second, third, fourth, fifth, sixth);
        return result < 0 ? -errno.get(JAVA_INT, 0) : result;
    }

    /** An int result is in the lower half of the register. */
    private int invoke(
            MemorySegment errno,
            long first,
            long second,
            long third,
            long fourth,
            long fifth,
            long sixth) {
        try {
            long result =
                    (long)
                            CALL.invokeExact(
                                    address, errno, first, second, third, fourth, fifth, sixth);
            return (int) result;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call failed", e);
        }
    }
}
