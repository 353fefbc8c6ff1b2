package dev.satchel.filesystem.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;

/**
 * System calls that Java does not offer. Each returns the result of the call, or the negative
 * errno. Names are passed as bytes, independent of the locale.
 */
public final class FileSystemCalls {
    public static final int AT_FDCWD = -100;
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    public static final int AT_REMOVEDIR = 0x200;
    public static final int AT_EMPTY_PATH = 0x1000;
    public static final long STATX_SIZE = 256;

    private static final long STATVFS_SIZE = 256;
    private static final long FREE_INODES = 48; // of struct statvfs

    private static final long OPENAT2 = 437; // the same on every architecture
    private static final int STATX_BASIC_STATS = 0x7ff;

    private static final CFunction SYSCALL = CFunction.named("syscall");
    private static final CFunction STATX = CFunction.named("statx");
    private static final CFunction STATVFS = CFunction.named("statvfs");
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

    public static int openat2(int directory, String path, long flags, long mode, long resolve) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment how = arena.allocateFrom(JAVA_LONG, flags, mode, resolve);
            return SYSCALL.call(
                    OPENAT2, directory, name(arena, path), how.address(), how.byteSize());
        }
    }

    /** Memory for the errno and the result of a call; may be used for many calls. */
    public record StatxResult(MemorySegment errno, MemorySegment stat) {
        public static StatxResult in(Arena arena) {
            return new StatxResult(CFunction.errnoIn(arena), arena.allocate(STATX_SIZE, 8));
        }
    }

    public static int statx(int directory, String path, int flags, StatxResult result) {
        try (Arena arena = Arena.ofConfined()) {
            return statx(directory, name(arena, path), flags, result);
        }
    }

    /** With the address of a name that ends in a zero byte. */
    public static int statx(int directory, long name, int flags, StatxResult result) {
        long stat = result.stat().address();
        return STATX.call(result.errno(), directory, name, flags, STATX_BASIC_STATS, stat, 0);
    }

    /** The inodes that a file system has left, or -1; some have no fixed number and say 0. */
    public static long freeInodes(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(STATVFS_SIZE, Long.BYTES);
            int failure = STATVFS.call(name(arena, path), result.address());
            return failure < 0 ? -1 : result.get(JAVA_LONG, FREE_INODES);
        }
    }

    public static int getdents64(int directory, MemorySegment buffer) {
        return GETDENTS.call(directory, buffer.address(), buffer.byteSize());
    }

    /** Reads the link that the descriptor refers to. */
    public static int readlinkat(int link, MemorySegment buffer) {
        try (Arena arena = Arena.ofConfined()) {
            return READLINKAT.call(link, name(arena, ""), buffer.address(), buffer.byteSize());
        }
    }

    public static int mkdirat(int directory, String name, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return MKDIRAT.call(directory, name(arena, name), mode);
        }
    }

    public static int unlinkat(int directory, String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return UNLINKAT.call(directory, name(arena, name), flags);
        }
    }

    public static int renameat(int fromDirectory, String from, int toDirectory, String to) {
        try (Arena arena = Arena.ofConfined()) {
            return RENAMEAT.call(fromDirectory, name(arena, from), toDirectory, name(arena, to));
        }
    }

    public static int symlinkat(String target, int directory, String link) {
        try (Arena arena = Arena.ofConfined()) {
            return SYMLINKAT.call(name(arena, target), directory, name(arena, link));
        }
    }

    /** Sets both times of a file; does not follow a link. */
    public static int utimensat(int directory, String path, Instant time) {
        try (Arena arena = Arena.ofConfined()) {
            long seconds = time.getEpochSecond();
            long nanos = time.getNano();
            MemorySegment times = arena.allocateFrom(JAVA_LONG, seconds, nanos, seconds, nanos);
            return UTIMENSAT.call(
                    directory, name(arena, path), times.address(), AT_SYMLINK_NOFOLLOW);
        }
    }

    public static int fchmod(int file, int mode) {
        return FCHMOD.call(file, mode);
    }

    public static int fchown(int file, int owner, int group) {
        return FCHOWN.call(file, owner, group);
    }

    public static void close(int file) {
        int _ = CLOSE.call(file);
    }

    /** The address of a name that ends in a zero byte, valid as long as the arena. */
    private static long name(Arena arena, String text) {
        if (!NameBytes.hasEscapes(text)) {
            return arena.allocateFrom(text).address();
        }
        byte[] bytes = NameBytes.of(text);
        MemorySegment name = arena.allocate(bytes.length + 1L); // initialized with zeros
        MemorySegment.copy(bytes, 0, name, JAVA_BYTE, 0, bytes.length);
        return name.address();
    }
}
