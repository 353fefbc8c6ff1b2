package dev.satchel.filesystem;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.time.Instant;

/** The fields of the kernel's struct statx, as numbers in a larger array. */
final class StatxFields {
    static final int COUNT = 6;

    private static final int SIZE = 0;
    private static final int MODIFIED = 1; // seconds
    private static final int CHANGED = 2; // seconds
    private static final int NANOS = 3; // of both
    private static final int MODE = 4; // and the number of links
    private static final int INODE = 5;

    private static final int PERMISSIONS = 07777;
    private static final int KIND_MASK = 0xf000;
    private static final int REGULAR = 0x8000;
    private static final int DIRECTORY = 0x4000;
    private static final int LINK = 0xa000;

    private StatxFields() {}

    static void put(long[] numbers, int at, MemorySegment statx) {
        numbers[at + SIZE] = statx.get(JAVA_LONG_UNALIGNED, 40);
        numbers[at + MODIFIED] = statx.get(JAVA_LONG_UNALIGNED, 112);
        numbers[at + CHANGED] = statx.get(JAVA_LONG_UNALIGNED, 96);
        numbers[at + NANOS] =
                pair(statx.get(JAVA_INT_UNALIGNED, 120), statx.get(JAVA_INT_UNALIGNED, 104));
        numbers[at + MODE] =
                pair(
                        statx.get(JAVA_INT_UNALIGNED, 16),
                        Short.toUnsignedInt(statx.get(JAVA_SHORT_UNALIGNED, 28)));
        numbers[at + INODE] = statx.get(JAVA_LONG_UNALIGNED, 32);
    }

    static FileStat stat(long[] numbers, int at) {
        long nanos = numbers[at + NANOS];
        long mode = numbers[at + MODE];
        return new FileStat(
                kind((int) mode),
                numbers[at + SIZE],
                Instant.ofEpochSecond(numbers[at + MODIFIED], nanos >>> Integer.SIZE),
                Instant.ofEpochSecond(numbers[at + CHANGED], nanos & 0xffff_ffffL),
                (int) mode & PERMISSIONS,
                (int) (mode >>> Integer.SIZE),
                numbers[at + INODE]);
    }

    static boolean isDirectory(long[] numbers, int at) {
        return ((int) numbers[at + MODE] & KIND_MASK) == DIRECTORY;
    }

    private static long pair(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    private static FileStat.Kind kind(int mode) {
        return switch (mode & KIND_MASK) {
            case REGULAR -> FileStat.Kind.FILE;
            case DIRECTORY -> FileStat.Kind.DIRECTORY;
            case LINK -> FileStat.Kind.LINK;
            default -> FileStat.Kind.OTHER;
        };
    }
}
