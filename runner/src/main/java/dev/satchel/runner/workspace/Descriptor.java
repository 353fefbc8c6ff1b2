package dev.satchel.runner.workspace;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Instant;

/** An open file descriptor, used and closed by one thread. */
record Descriptor(int number) implements AutoCloseable {
    private static final int KIND_MASK = 0xf000;
    private static final int REGULAR = 0x8000;
    private static final int DIRECTORY = 0x4000;
    private static final int LINK = 0xa000;
    private static final int LONGEST_PATH = 4096;

    /** What the descriptor is of, and whose it is. */
    record Status(FileStat stat, int owner, int group) {}

    Status status(WorkspacePath path) throws IOException {
        return status(path, "", LinuxCalls.AT_EMPTY_PATH);
    }

    /** What lies under a name in this directory, links not followed. */
    Status status(WorkspacePath path, String name) throws IOException {
        return status(path, name, LinuxCalls.AT_SYMLINK_NOFOLLOW);
    }

    private Status status(WorkspacePath path, String name, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(LinuxCalls.STATX_SIZE, 8);
            Errno.check(LinuxCalls.statx(number, name, flags, result), path);
            int mode = Short.toUnsignedInt(result.get(JAVA_SHORT_UNALIGNED, 28));
            FileStat stat =
                    new FileStat(
                            kind(mode),
                            result.get(JAVA_LONG_UNALIGNED, 40),
                            instant(result, 112),
                            instant(result, 96),
                            mode & 07777,
                            result.get(JAVA_INT_UNALIGNED, 16),
                            result.get(JAVA_LONG_UNALIGNED, 32));
            return new Status(
                    stat, result.get(JAVA_INT_UNALIGNED, 20), result.get(JAVA_INT_UNALIGNED, 24));
        }
    }

    /** What the link says that this descriptor is of. */
    String target(WorkspacePath path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(LONGEST_PATH);
            int length = Errno.check(LinuxCalls.readlinkat(number, buffer), path);
            byte[] bytes = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Opens the very same file again as a channel, however it is named by now. */
    FileChannel reopen(OpenOption... options) throws IOException {
        return FileChannel.open(Path.of("/proc/self/fd/" + number), options);
    }

    @Override
    public void close() {
        LinuxCalls.close(number);
    }

    private static FileStat.Kind kind(int mode) {
        return switch (mode & KIND_MASK) {
            case REGULAR -> FileStat.Kind.FILE;
            case DIRECTORY -> FileStat.Kind.DIRECTORY;
            case LINK -> FileStat.Kind.LINK;
            default -> FileStat.Kind.OTHER;
        };
    }

    private static Instant instant(MemorySegment result, long offset) {
        return Instant.ofEpochSecond(
                result.get(JAVA_LONG_UNALIGNED, offset),
                result.get(JAVA_INT_UNALIGNED, offset + 8));
    }
}
