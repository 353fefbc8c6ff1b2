package dev.satchel.runner.workspace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.satchel.runner.workspace.LinuxCalls.StatxResult;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the entries of an open directory. Names go back to the kernel from where it put them: a
 * walk of ten thousand files is mostly this.
 */
final class KernelList {
    private static final int BUFFER = 32 * 1024;

    // struct linux_dirent64
    private static final int LENGTH = 16;
    private static final int NAME = 19;

    private final Descriptor directory;
    private final WorkspacePath path;
    private final MemorySegment buffer;
    private final StatxResult result;
    private final byte[] copy = new byte[BUFFER];
    private final List<WorkspaceEntry> entries = new ArrayList<>();

    private KernelList(Descriptor directory, WorkspacePath path, Arena arena) {
        this.directory = directory;
        this.path = path;
        this.buffer = arena.allocate(BUFFER, 8);
        this.result = StatxResult.in(arena);
    }

    static List<WorkspaceEntry> of(Descriptor directory, WorkspacePath path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            KernelList list = new KernelList(directory, path, arena);
            int filled;
            while ((filled = LinuxCalls.getdents64(directory.number(), list.buffer)) > 0) {
                list.addAll(filled);
            }
            Errno.check(filled, path);
            list.entries.sort(WorkspaceEntry.BY_NAME);
            return list.entries;
        }
    }

    private void addAll(int filled) throws IOException {
        MemorySegment.copy(buffer, JAVA_BYTE, 0, copy, 0, filled);
        for (int offset = 0; offset < filled; ) {
            int length = (copy[offset + LENGTH] & 0xff) | (copy[offset + LENGTH + 1] & 0xff) << 8;
            int end = offset + NAME;
            while (copy[end] != 0) {
                end++;
            }
            add(offset + NAME, end);
            offset += length;
        }
    }

    private void add(int from, int to) throws IOException {
        String name = NameBytes.text(copy, from, to);
        if (name.equals(".") || name.equals("..")) {
            return;
        }
        try {
            WorkspacePath child = path.resolve(name);
            MemorySegment there = buffer.asSlice(from);
            int flags = LinuxCalls.AT_SYMLINK_NOFOLLOW;
            Errno.check(LinuxCalls.statx(directory.number(), there, flags, result), child);
            entries.add(new WorkspaceEntry(child, Descriptor.stat(result.stat())));
        } catch (NoSuchFileException | IllegalArgumentException _) {
            // gone meanwhile, or too deep for any path to reach
        }
    }
}
