package dev.satchel.filesystem;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.satchel.filesystem.linux.FileSystemCalls;
import dev.satchel.filesystem.linux.FileSystemCalls.StatxResult;
import dev.satchel.filesystem.linux.NameBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** An open file descriptor, used and closed by one thread. */
record FileDescriptor(int number) implements AutoCloseable {
    private static final int MAX_PATH_BYTES = 4096;

    /** The stat of a file and its owner. */
    record Status(FileStat stat, int owner, int group) {}

    /** Identifies a file as long as it is open. */
    record Identity(int deviceMajor, int deviceMinor, long inode) {}

    Identity identity(WorkspacePath path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            StatxResult result = StatxResult.in(arena);
            Errno.check(
                    FileSystemCalls.statx(number, "", FileSystemCalls.AT_EMPTY_PATH, result), path);
            MemorySegment stat = result.stat();
            return new Identity(
                    stat.get(JAVA_INT_UNALIGNED, 136),
                    stat.get(JAVA_INT_UNALIGNED, 140),
                    stat.get(JAVA_LONG_UNALIGNED, 32));
        }
    }

    Status status(WorkspacePath path) throws IOException {
        return status(path, "", FileSystemCalls.AT_EMPTY_PATH);
    }

    /** Of a name in this directory; does not follow a link. */
    Status status(WorkspacePath path, String name) throws IOException {
        return status(path, name, FileSystemCalls.AT_SYMLINK_NOFOLLOW);
    }

    private Status status(WorkspacePath path, String name, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            StatxResult result = StatxResult.in(arena);
            Errno.check(FileSystemCalls.statx(number, name, flags, result), path);
            MemorySegment stat = result.stat();
            return new Status(
                    stat(stat), stat.get(JAVA_INT_UNALIGNED, 20), stat.get(JAVA_INT_UNALIGNED, 24));
        }
    }

    private static FileStat stat(MemorySegment statx) {
        long[] numbers = new long[StatxFields.COUNT];
        StatxFields.put(numbers, 0, statx);
        return StatxFields.stat(numbers, 0);
    }

    /** The target of the link that this descriptor refers to. */
    String target(WorkspacePath path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(MAX_PATH_BYTES);
            int length = Errno.check(FileSystemCalls.readlinkat(number, buffer), path);
            byte[] bytes = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            return NameBytes.text(bytes, 0, bytes.length);
        }
    }

    /** Opens the same file again as a channel, whatever its name is now. */
    FileChannel reopen(OpenOption... options) throws IOException {
        return FileChannel.open(self(), options);
    }

    private Path self() {
        return Path.of("/proc/self/fd/" + number);
    }

    void setMode(int mode) throws IOException {
        Files.setAttribute(self(), "unix:mode", mode);
    }

    @Override
    public void close() {
        FileSystemCalls.close(number);
    }
}
