package dev.satchel.filesystem;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.satchel.filesystem.linux.FileSystemCalls;
import dev.satchel.filesystem.linux.FileSystemCalls.StatxResult;
import dev.satchel.filesystem.linux.NameBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reads the entries of an open directory. The name for statx stays in the memory where getdents64
 * has written it, since this is most of the work of a walk.
 */
final class KernelDirectoryReader {
    private static final int BUFFER = 32 * 1024;

    // struct linux_dirent64
    private static final int LENGTH = 16;
    private static final int NAME = 19;
    private static final int ALIGNMENT = 8;

    private final FileDescriptor directory;
    private final WorkspacePath path;
    private final MemorySegment buffer;
    private final StatxResult result;
    private byte[] names = new byte[0];
    private int[] ends = new int[0];
    private long[] stats = new long[0];
    private int length; // of the names
    private int count;

    private KernelDirectoryReader(FileDescriptor directory, WorkspacePath path, Arena arena) {
        this.directory = directory;
        this.path = path;
        this.buffer = arena.allocate(BUFFER, ALIGNMENT);
        this.result = StatxResult.in(arena);
    }

    static DirectoryContents of(FileDescriptor directory, WorkspacePath path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            KernelDirectoryReader reader = new KernelDirectoryReader(directory, path, arena);
            int filled;
            while ((filled = FileSystemCalls.getdents64(directory.number(), reader.buffer)) > 0) {
                reader.addAll(filled);
            }
            Errno.check(filled, path);
            return new DirectoryContents(
                    path, reader.names, reader.ends, reader.stats, reader.count);
        }
    }

    private void addAll(int filled) throws IOException {
        makeRoom(filled);
        for (int offset = 0; offset < filled; offset = next(offset)) {
            add(offset + NAME, nameEnd(offset + NAME, next(offset)));
        }
    }

    private void makeRoom(int filled) {
        int records = 0;
        for (int offset = 0; offset < filled; offset = next(offset)) {
            records++;
        }
        names = Arrays.copyOf(names, length + filled - records * NAME);
        ends = Arrays.copyOf(ends, count + records);
        stats = Arrays.copyOf(stats, (count + records) * StatxFields.COUNT);
    }

    private int next(int offset) {
        return offset + Short.toUnsignedInt(buffer.get(JAVA_SHORT_UNALIGNED, offset + LENGTH));
    }

    /** A name ends with a zero byte; the record is padded with zeros. */
    private int nameEnd(int from, int next) {
        int end = Math.max(from, next - ALIGNMENT);
        while (buffer.get(JAVA_BYTE, end) != 0) {
            end++;
        }
        return end;
    }

    private void add(int from, int to) throws IOException {
        MemorySegment.copy(buffer, JAVA_BYTE, from, names, length, to - from);
        if (isDots(to - from) || isTooDeep(to - from)) {
            return;
        }
        int flags = FileSystemCalls.AT_SYMLINK_NOFOLLOW;
        int done =
                FileSystemCalls.statx(
                        directory.number(), buffer.asSlice(from).address(), flags, result);
        if (done == -Errno.ENOENT) {
            return; // removed meanwhile
        }
        Errno.check(done, path);
        StatxFields.put(stats, count * StatxFields.COUNT, result.stat());
        length += to - from;
        ends[count++] = length;
    }

    /** The entries {@code .} and {@code ..}. */
    private boolean isDots(int bytes) {
        return names[length] == '.' && (bytes == 1 || (bytes == 2 && names[length + 1] == '.'));
    }

    /** The path of the entry would be too long. */
    private boolean isTooDeep(int bytes) {
        int room = WorkspacePath.MAX_LENGTH - path.value().length() - 1;
        return bytes > room && NameBytes.text(names, length, length + bytes).length() > room;
    }
}
