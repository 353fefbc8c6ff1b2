package dev.satchel.runner.workspace;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads the entries of an open directory. */
final class KernelList {
    private static final int BUFFER = 32 * 1024;

    // struct linux_dirent64
    private static final long LENGTH = 16;
    private static final long NAME = 19;

    private final Descriptor directory;
    private final WorkspacePath path;
    private final List<WorkspaceEntry> entries = new ArrayList<>();

    private KernelList(Descriptor directory, WorkspacePath path) {
        this.directory = directory;
        this.path = path;
    }

    static List<WorkspaceEntry> of(Descriptor directory, WorkspacePath path) throws IOException {
        KernelList list = new KernelList(directory, path);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER, 8);
            int filled;
            while ((filled = LinuxCalls.getdents64(directory.number(), buffer)) > 0) {
                list.addAll(buffer, filled);
            }
            Errno.check(filled, path);
        }
        list.entries.sort(Comparator.comparing(entry -> entry.path().value()));
        return list.entries;
    }

    private void addAll(MemorySegment buffer, int filled) throws IOException {
        int offset = 0;
        while (offset < filled) {
            String name = buffer.getString(offset + NAME);
            offset += Short.toUnsignedInt(buffer.get(JAVA_SHORT_UNALIGNED, offset + LENGTH));
            if (!name.equals(".") && !name.equals("..")) {
                add(name);
            }
        }
    }

    private void add(String name) throws IOException {
        try {
            WorkspacePath child = path.resolve(name);
            entries.add(new WorkspaceEntry(child, directory.status(child, name).stat()));
        } catch (NoSuchFileException | IllegalArgumentException _) {
            // gone meanwhile, not UTF-8, or too deep for any path to reach
        }
    }
}
