package dev.satchel.runner.workspace;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.time.Instant;

/**
 * The system calls that Java does not offer. Each returns what the kernel returned, or the negative
 * errno. Names go over as their bytes, whatever the locale says.
 */
@SuppressWarnings("restricted") // the one place that goes native
final class LinuxCalls {
    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_REMOVEDIR = 0x200;
    static final int AT_EMPTY_PATH = 0x1000;
    static final long STATX_SIZE = 256;

    private static final long OPENAT2 = 437; // the same on every architecture
    private static final int STATX_BASIC_STATS = 0x7ff;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle SYSCALL =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("syscall"),
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG),
                    Linker.Option.firstVariadicArg(1),
                    Linker.Option.captureCallState("errno"));
    private static final MethodHandle STATX =
            bind("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle GETDENTS =
            bind("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle READLINKAT =
            bind("readlinkat", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    private static final MethodHandle MKDIRAT =
            bind("mkdirat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle RENAMEAT =
            bind("renameat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    private static final MethodHandle UNLINKAT =
            bind("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SYMLINKAT =
            bind("symlinkat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    private static final MethodHandle UTIMENSAT =
            bind("utimensat", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
    private static final MethodHandle FCHMOD = bind("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle FCHOWN =
            bind("fchown", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = bind("close", JAVA_INT, JAVA_INT);

    private LinuxCalls() {}

    static int openat2(int directory, String path, long flags, long mode, long resolve) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment how = arena.allocateFrom(JAVA_LONG, flags, mode, resolve);
            MemorySegment name = name(arena, path);
            long size = how.byteSize();
            long fd = (long) SYSCALL.invokeExact(state, OPENAT2, directory, name, how, size);
            return (int) (fd < 0 ? -errno(state) : fd);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    /** Where a call leaves its errno and what it was asked for; one serves many calls. */
    record StatxResult(MemorySegment state, MemorySegment stat) {
        static StatxResult in(Arena arena) {
            return new StatxResult(arena.allocate(STATE), arena.allocate(STATX_SIZE, 8));
        }
    }

    static int statx(int directory, String path, int flags, StatxResult result) {
        try (Arena arena = Arena.ofConfined()) {
            return statx(directory, name(arena, path), flags, result);
        }
    }

    /** With a name that ends in a zero byte. */
    static int statx(int directory, MemorySegment name, int flags, StatxResult result) {
        try {
            MemorySegment state = result.state();
            MemorySegment stat = result.stat();
            int mask = STATX_BASIC_STATS;
            int done = (int) STATX.invokeExact(state, directory, name, flags, mask, stat);
            return done < 0 ? -errno(state) : done;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int getdents64(int directory, MemorySegment buffer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long read = (long) GETDENTS.invokeExact(state, directory, buffer, buffer.byteSize());
            return (int) (read < 0 ? -errno(state) : read);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    /** Reads the very link that a descriptor is of. */
    static int readlinkat(int link, MemorySegment buffer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment none = arena.allocateFrom("");
            long read = (long) READLINKAT.invokeExact(state, link, none, buffer, buffer.byteSize());
            return (int) (read < 0 ? -errno(state) : read);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int mkdirat(int directory, String name, int mode) {
        return onName(MKDIRAT, directory, name, mode);
    }

    static int unlinkat(int directory, String name, int flags) {
        return onName(UNLINKAT, directory, name, flags);
    }

    static int renameat(int fromDirectory, String from, int toDirectory, String to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment source = name(arena, from);
            MemorySegment target = name(arena, to);
            int done =
                    (int) RENAMEAT.invokeExact(state, fromDirectory, source, toDirectory, target);
            return done < 0 ? -errno(state) : done;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int symlinkat(String target, int directory, String link) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment says = name(arena, target);
            MemorySegment at = name(arena, link);
            int done = (int) SYMLINKAT.invokeExact(state, says, directory, at);
            return done < 0 ? -errno(state) : done;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    /** Sets both times of what lies under a name, be it a link. */
    static int utimensat(int directory, String path, Instant time) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long seconds = time.getEpochSecond();
            long nanos = time.getNano();
            MemorySegment times = arena.allocateFrom(JAVA_LONG, seconds, nanos, seconds, nanos);
            MemorySegment name = name(arena, path);
            int flags = AT_SYMLINK_NOFOLLOW;
            int done = (int) UTIMENSAT.invokeExact(state, directory, name, times, flags);
            return done < 0 ? -errno(state) : done;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int fchmod(int file, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int done = (int) FCHMOD.invokeExact(state, file, mode);
            return done < 0 ? -errno(state) : done;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int fchown(int file, int owner, int group) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int done = (int) FCHOWN.invokeExact(state, file, owner, group);
            return done < 0 ? -errno(state) : done;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static void close(int file) {
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) CLOSE.invokeExact(arena.allocate(STATE), file);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    private static MemorySegment name(Arena arena, String text) {
        if (!NameBytes.hasEscapes(text)) {
            return arena.allocateFrom(text);
        }
        byte[] bytes = NameBytes.of(text);
        MemorySegment name = arena.allocate(bytes.length + 1L); // all zero, so it ends in one
        MemorySegment.copy(bytes, 0, name, JAVA_BYTE, 0, bytes.length);
        return name;
    }

    private static int onName(MethodHandle call, int directory, String name, int argument) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int done = (int) call.invokeExact(state, directory, name(arena, name), argument);
            return done < 0 ? -errno(state) : done;
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    private static MethodHandle bind(String name, ValueLayout result, ValueLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    private static RuntimeException broken(Throwable e) {
        if (e instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native call broke", e);
    }
}
