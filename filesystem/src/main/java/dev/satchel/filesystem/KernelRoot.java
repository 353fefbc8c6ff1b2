package dev.satchel.filesystem;

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

    /** A rename somewhere else may disturb a walk of {@code ..}; the kernel then says try again. */
    private static final int ATTEMPTS = 10_000;

    private final FileDescriptor root;
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private boolean closed; // guarded by life: a number used after close could be anyone's file

    private KernelRoot(FileDescriptor root) {
        this.root = root;
    }

    /** Empty where the system has no openat2, or a filter above us forbids it. */
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
                throw new NoSuchFileException(name, null, "not a directory to open");
            }
            return Optional.of(new KernelRoot(new FileDescriptor(fd)));
        } catch (LinkageError e) {
            return Optional.empty(); // a C library without these calls, or native access denied
        }
    }

    /** Whoever calls closes what is found. */
    FileDescriptor resolve(WorkspacePath path, long flags, long resolve) throws IOException {
        life.readLock().lock();
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
            life.readLock().unlock();
        }
    }

    @Override
    public void close() {
        life.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                root.close();
            }
        } finally {
            life.writeLock().unlock();
        }
    }
}
