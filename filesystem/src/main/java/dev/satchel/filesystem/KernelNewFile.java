package dev.satchel.filesystem;

import dev.satchel.filesystem.linux.FileSystemCalls;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;

/** A new file beside the one that it replaces; the open directory cannot be exchanged. */
final class KernelNewFile implements NewFile {
    private static final long O_WRONLY = 1;
    private static final long O_CREAT = 0x40;
    private static final long O_EXCL = 0x80;
    private static final int OWNER_ONLY = 0600;
    private static final int DEFAULT_MODE = 0644;

    private final FileDescriptor directory;
    private final WorkspacePath path;
    private final String temporary;
    private final FileChannel channel;
    private boolean committed;

    private KernelNewFile(
            FileDescriptor directory, WorkspacePath path, String temporary, FileChannel channel) {
        this.directory = directory;
        this.path = path;
        this.temporary = temporary;
        this.channel = channel;
    }

    /** The directory is closed with the file, or at once if this fails. */
    static KernelNewFile begin(FileDescriptor directory, WorkspacePath path) throws IOException {
        String temporary = TemporaryNames.next();
        boolean begun = false;
        try {
            int mode = modeFor(directory, path);
            KernelNewFile file =
                    new KernelNewFile(
                            directory, path, temporary, create(directory, path, temporary, mode));
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
            FileStat existing = directory.status(path, path.name()).stat();
            if (existing.isDirectory()) {
                throw new IrregularFileException(path, existing.kind());
            }
            return existing.isFile() ? existing.mode() & 0777 : DEFAULT_MODE;
        } catch (NoSuchFileException e) {
            return DEFAULT_MODE;
        }
    }

    private static FileChannel create(
            FileDescriptor directory, WorkspacePath path, String temporary, int mode)
            throws IOException {
        long flags = O_WRONLY | O_CREAT | O_EXCL | KernelRoot.O_NOFOLLOW | KernelRoot.O_CLOEXEC;
        long resolve = KernelRoot.BENEATH | KernelRoot.NO_LINKS;
        int fd = FileSystemCalls.openat2(directory.number(), temporary, flags, OWNER_ONLY, resolve);
        try (FileDescriptor file = new FileDescriptor(Errno.check(fd, path))) {
            KernelDirectory.setOwner(file, directory.status(path));
            Errno.check(FileSystemCalls.fchmod(file.number(), mode | OWNER_ONLY), path);
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
        committed = true;
    }

    @Override
    public void close() throws IOException {
        if (!channel.isOpen()) {
            return;
        }
        try (directory;
                channel) {
            if (!committed) {
                int _ = FileSystemCalls.unlinkat(directory.number(), temporary, 0);
            }
        }
    }
}
