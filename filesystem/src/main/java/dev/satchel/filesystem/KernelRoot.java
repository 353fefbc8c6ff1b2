package dev.satchel.filesystem;

import dev.satchel.filesystem.linux.FileSystemCalls;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** An open directory beneath which the kernel resolves paths. Safe for many threads. */
final class KernelRoot implements AutoCloseable {
    static final long BENEATH = 0x08 | 0x02; // RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS
    static final long NO_LINKS = 0x04; // RESOLVE_NO_SYMLINKS
    static final long O_CLOEXEC = 0x80000;
    static final long O_PATH = 0x200000;
    private static final String ARCHITECTURE = System.getProperty("os.arch", "");
    private static final boolean ARM = ARCHITECTURE.equals("aarch64");
    static final long O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    static final long O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

    /** The kernel returns EAGAIN if a rename interferes with resolving {@code ..}. */
    private static final int ATTEMPTS = 10_000;

    private final FileDescriptor root;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed; // guarded by lock: after close the number may be another file's

    private KernelRoot(FileDescriptor root) {
        this.root = root;
    }

    /** Empty if the system has no openat2, or a seccomp filter forbids it. */
    static Optional<KernelRoot> tryOpen(Path path) throws IOException {
        boolean known = ARM || ARCHITECTURE.equals("amd64");
        if (!known || !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
            return Optional.empty();
        }
        try {
            String name = path.toAbsolutePath().toString();
            long flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
            int fd = FileSystemCalls.openat2(FileSystemCalls.AT_FDCWD, name, flags, 0, 0);
            if (fd == -Errno.ENOSYS || fd == -Errno.EPERM) {
                return Optional.empty();
            }
            if (fd < 0) {
                throw new NoSuchFileException(name, null, "cannot open the directory");
            }
            return Optional.of(new KernelRoot(new FileDescriptor(fd)));
        } catch (LinkageError e) {
            return Optional.empty(); // a C library without these calls, or native access denied
        }
    }

    /** The caller closes the descriptor. */
    FileDescriptor resolve(WorkspacePath path, long flags, long resolve) throws IOException {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            int fd = -Errno.EAGAIN;
            for (int i = 0; fd == -Errno.EAGAIN && i < ATTEMPTS; i++) {
                fd =
                        FileSystemCalls.openat2(
                                root.number(),
                                path.value(),
                                flags | O_CLOEXEC,
                                0,
                                BENEATH | resolve);
            }
            return new FileDescriptor(Errno.check(fd, path));
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                root.close();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
