package dev.satchel.filesystem;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.satchel.filesystem.linux.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;

/**
 * The system calls that Java does not offer. Each returns what the kernel returned, or the negative
 * errno. Names go over as their bytes, whatever the locale says.
 */
final class FileSystemCalls {
    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_REMOVEDIR = 0x200;
    static final int AT_EMPTY_PATH = 0x1000;
    static final long STATX_SIZE = 256;

    private static final long OPENAT2 = 437; // the same on every architecture
    private static final int STATX_BASIC_STATS = 0x7ff;

    private static final CFunction SYSCALL = CFunction.named("syscall");
    private static final CFunction STATX = CFunction.named("statx");
    private static final CFunction GETDENTS = CFunction.named("getdents64");
    private static final CFunction READLINKAT = CFunction.named("readlinkat");
    private static final CFunction MKDIRAT = CFunction.named("mkdirat");
    private static final CFunction RENAMEAT = CFunction.named("renameat");
    private static final CFunction UNLINKAT = CFunction.named("unlinkat");
    private static final CFunction SYMLINKAT = CFunction.named("symlinkat");
    private static final CFunction UTIMENSAT = CFunction.named("utimensat");
    private static final CFunction FCHMOD = CFunction.named("fchmod");
    private static final CFunction FCHOWN = CFunction.named("fchown");
    private static final CFunction CLOSE = CFunction.named("close");

    private FileSystemCalls() {}

    static int openat2(int directory, String path, long flags, long mode, long resolve) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment how = arena.allocateFrom(JAVA_LONG, flags, mode, resolve);
            return SYSCALL.call(
                    OPENAT2, directory, name(arena, path), how.address(), how.byteSize());
        }
    }

    /** Where a call leaves its errno and what it was asked for; one serves many calls. */
    record StatxResult(MemorySegment errno, MemorySegment stat) {
        static StatxResult in(Arena arena) {
            return new StatxResult(CFunction.errnoIn(arena), arena.allocate(STATX_SIZE, 8));
        }
    }

    static int statx(int directory, String path, int flags, StatxResult result) {
        try (Arena arena = Arena.ofConfined()) {
            return statx(directory, name(arena, path), flags, result);
        }
    }

    /** With the address of a name that ends in a zero byte. */
    static int statx(int directory, long name, int flags, StatxResult result) {
        long stat = result.stat().address();
        return STATX.call(result.errno(), directory, name, flags, STATX_BASIC_STATS, stat, 0);
    }

    static int getdents64(int directory, MemorySegment buffer) {
        return GETDENTS.call(directory, buffer.address(), buffer.byteSize());
    }

    /** Reads the very link that a descriptor is of. */
    static int readlinkat(int link, MemorySegment buffer) {
        try (Arena arena = Arena.ofConfined()) {
            return READLINKAT.call(link, name(arena, ""), buffer.address(), buffer.byteSize());
        }
    }

    static int mkdirat(int directory, String name, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return MKDIRAT.call(directory, name(arena, name), mode);
        }
    }

    static int unlinkat(int directory, String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return UNLINKAT.call(directory, name(arena, name), flags);
        }
    }

    static int renameat(int fromDirectory, String from, int toDirectory, String to) {
        try (Arena arena = Arena.ofConfined()) {
            return RENAMEAT.call(fromDirectory, name(arena, from), toDirectory, name(arena, to));
        }
    }

    static int symlinkat(String target, int directory, String link) {
        try (Arena arena = Arena.ofConfined()) {
            return SYMLINKAT.call(name(arena, target), directory, name(arena, link));
        }
    }

    /** Sets both times of what lies under a name, be it a link. */
    static int utimensat(int directory, String path, Instant time) {
        try (Arena arena = Arena.ofConfined()) {
            long seconds = time.getEpochSecond();
            long nanos = time.getNano();
            MemorySegment times = arena.allocateFrom(JAVA_LONG, seconds, nanos, seconds, nanos);
            return UTIMENSAT.call(
                    directory, name(arena, path), times.address(), AT_SYMLINK_NOFOLLOW);
        }
    }

    static int fchmod(int file, int mode) {
        return FCHMOD.call(file, mode);
    }

    static int fchown(int file, int owner, int group) {
        return FCHOWN.call(file, owner, group);
    }

    static void close(int file) {
        int _ = CLOSE.call(file);
    }

    /** The address of a name that ends in a zero byte and lives as long as the arena. */
    private static long name(Arena arena, String text) {
        if (!NameBytes.hasEscapes(text)) {
            return arena.allocateFrom(text).address();
        }
        byte[] bytes = NameBytes.of(text);
        MemorySegment name = arena.allocate(bytes.length + 1L); // all zero, so it ends in one
        MemorySegment.copy(bytes, 0, name, JAVA_BYTE, 0, bytes.length);
        return name.address();
    }
}
