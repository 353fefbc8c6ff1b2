package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;

/** A new file next to the one it will replace; the directory is held open, so it cannot move. */
final class KernelNewFile implements NewFile {
    private static final long O_WRONLY = 1;
    private static final long O_CREAT = 0x40;
    private static final long O_EXCL = 0x80;
    private static final int PRIVATE = 0600;
    private static final int USUAL = 0644;

    private final FileDescriptor directory;
    private final WorkspacePath path;
    private final String temporary;
    private final FileChannel channel;
    private boolean settled;

    private KernelNewFile(
            FileDescriptor directory, WorkspacePath path, String temporary, FileChannel channel) {
        this.directory = directory;
        this.path = path;
        this.temporary = temporary;
        this.channel = channel;
    }

    /** Takes over the directory: it is closed with the file, or at once when this fails. */
    static KernelNewFile begin(FileDescriptor directory, WorkspacePath path) throws IOException {
        String temporary = TemporaryNames.next();
        boolean begun = false;
        try {
            int mode = modeFor(directory, path);
            KernelNewFile file =
                    new KernelNewFile(
                            directory, path, temporary, make(directory, path, temporary, mode));
            begun = true;
            return file;
        } finally {
            if (!begun) {
                directory.close();
            }
        }
    }

    private static int modeFor(FileDescriptor directory, WorkspacePath path) throws IOException {
        try {
            FileStat there = directory.status(path, path.name()).stat();
            if (there.isDirectory()) {
                throw new IrregularFileException(path, there.kind());
            }
            return there.isFile() ? there.mode() & 0777 : USUAL;
        } catch (NoSuchFileException e) {
            return USUAL;
        }
    }

    private static FileChannel make(
            FileDescriptor directory, WorkspacePath path, String temporary, int mode)
            throws IOException {
        long flags = O_WRONLY | O_CREAT | O_EXCL | KernelRoot.O_NOFOLLOW | KernelRoot.O_CLOEXEC;
        long resolve = KernelRoot.BENEATH | KernelRoot.NO_LINKS;
        int fd = FileSystemCalls.openat2(directory.number(), temporary, flags, PRIVATE, resolve);
        try (FileDescriptor file = new FileDescriptor(Errno.check(fd, path))) {
            KernelDirectory.giveAway(file, directory.status(path));
            Errno.check(FileSystemCalls.fchmod(file.number(), mode | PRIVATE), path);
            return file.reopen(StandardOpenOption.WRITE);
        } catch (IOException e) {
            int _ = FileSystemCalls.unlinkat(directory.number(), temporary, 0);
            throw e;
        }
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void commit() throws IOException {
        int from = directory.number();
        Errno.check(FileSystemCalls.renameat(from, temporary, from, path.name()), path);
        settled = true;
    }

    @Override
    public void close() throws IOException {
        if (!channel.isOpen()) {
            return;
        }
        try (directory;
                channel) {
            if (!settled) {
                int _ = FileSystemCalls.unlinkat(directory.number(), temporary, 0);
            }
        }
    }
}
