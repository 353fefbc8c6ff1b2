package dev.satchel.runner.workspace;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Resolves paths with openat2 beneath one open directory. Links inside are followed as long as they
 * stay inside. A file is first opened by name only ({@code O_PATH}), looked at, and then opened for
 * real through that descriptor, so nothing irregular is ever touched and nothing can be swapped.
 */
final class KernelDirectory implements SafeDirectory {
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

    private final Descriptor root;
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private boolean closed; // guarded by life: a number used after close could be anyone's file

    private KernelDirectory(Descriptor root) {
        this.root = root;
    }

    /** Empty where the system has no openat2, or a filter above us forbids it. */
    static Optional<SafeDirectory> tryOpen(Path path) throws IOException {
        boolean known = ARM || ARCHITECTURE.equals("amd64");
        if (!known || !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
            return Optional.empty();
        }
        try {
            String name = path.toAbsolutePath().toString();
            long flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
            int fd = LinuxCalls.openat2(LinuxCalls.AT_FDCWD, name, flags, 0, 0);
            if (fd == -Errno.ENOSYS || fd == -Errno.EPERM) {
                return Optional.empty();
            }
            if (fd < 0) {
                throw new NoSuchFileException(name, null, "not a directory to open");
            }
            return Optional.of(new KernelDirectory(new Descriptor(fd)));
        } catch (LinkageError e) {
            return Optional.empty(); // a C library without these calls, or native access denied
        }
    }

    @Override
    public OpenFile open(WorkspacePath path) throws IOException {
        try (Descriptor file = resolve(path, O_PATH, 0)) {
            FileStat stat = file.status(path).stat();
            if (!stat.isFile()) {
                throw new IrregularFileException(path, stat.kind());
            }
            return new OpenFile(file.reopen(StandardOpenOption.READ), stat);
        }
    }

    @Override
    public FileStat stat(WorkspacePath path) throws IOException {
        try (Descriptor file = resolve(path, O_PATH | O_NOFOLLOW, 0)) {
            return file.status(path).stat();
        }
    }

    @Override
    public String readLink(WorkspacePath path) throws IOException {
        try (Descriptor link = resolve(path, O_PATH | O_NOFOLLOW, 0)) {
            FileStat stat = link.status(path).stat();
            if (stat.kind() != FileStat.Kind.LINK) {
                throw new IrregularFileException(path, stat.kind());
            }
            return link.target(path);
        }
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath path) throws IOException {
        try (Descriptor directory = resolve(path, O_DIRECTORY, NO_LINKS)) {
            return KernelList.of(directory, path);
        }
    }

    @Override
    public NewFile create(WorkspacePath path) throws IOException {
        return KernelNewFile.begin(parentOf(path), path);
    }

    /** Mostly it is there already. */
    private Descriptor parentOf(WorkspacePath path) throws IOException {
        try {
            return resolve(path.parent(), O_PATH | O_DIRECTORY, 0);
        } catch (NoSuchFileException e) {
            return makeDirectories(path.parent());
        }
    }

    @Override
    public void createDirectories(WorkspacePath path) throws IOException {
        makeDirectories(path).close();
    }

    /** Whoever calls closes the directory. */
    private Descriptor makeDirectories(WorkspacePath path) throws IOException {
        Descriptor directory = resolve(WorkspacePath.ROOT, O_PATH | O_DIRECTORY, 0);
        WorkspacePath reached = WorkspacePath.ROOT;
        for (String name : path.names()) {
            reached = reached.resolve(name);
            try (Descriptor above = directory) {
                int made = LinuxCalls.mkdirat(above.number(), name, 0755);
                if (made < 0 && made != -Errno.EEXIST) {
                    Errno.check(made, reached);
                }
                directory = resolve(reached, made < 0 ? O_PATH | O_DIRECTORY : O_DIRECTORY, 0);
                if (made == 0) {
                    giveAway(directory, above.status(reached));
                }
            }
        }
        return directory;
    }

    /** The sandbox runs as another user and must be able to change what we put there. */
    static void giveAway(Descriptor file, Descriptor.Status above) {
        // as a plain user we own the directory already, and a refusal means nothing
        int _ = LinuxCalls.fchown(file.number(), above.owner(), above.group());
    }

    @Override
    public void link(WorkspacePath path, String target) throws IOException {
        try (Descriptor directory = parentOf(path)) {
            String temporary = TemporaryNames.next();
            int at = directory.number();
            Errno.check(LinuxCalls.symlinkat(target, at, temporary), path);
            int done = LinuxCalls.renameat(at, temporary, at, path.name());
            if (done < 0) {
                int _ = LinuxCalls.unlinkat(at, temporary, 0);
            }
            Errno.check(done, path);
        }
    }

    @Override
    public void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException {
        try (Descriptor file = resolve(path, O_PATH | O_NOFOLLOW, 0)) {
            if (file.status(path).stat().kind() != FileStat.Kind.LINK) {
                file.setMode(mode);
            }
        }
        try (Descriptor directory = resolve(path.parent(), O_PATH | O_DIRECTORY, 0)) {
            Errno.check(LinuxCalls.utimensat(directory.number(), path.name(), modified), path);
        }
    }

    @Override
    public void rename(WorkspacePath from, WorkspacePath to) throws IOException {
        try (Descriptor source = resolve(from.parent(), O_PATH | O_DIRECTORY, 0);
                Descriptor target = makeDirectories(to.parent())) {
            int done =
                    LinuxCalls.renameat(source.number(), from.name(), target.number(), to.name());
            Errno.check(done, done == -Errno.ENOENT ? from : to);
        }
    }

    @Override
    public void delete(WorkspacePath path) throws IOException {
        try (Descriptor directory = resolve(path.parent(), O_PATH | O_DIRECTORY, 0)) {
            int done = LinuxCalls.unlinkat(directory.number(), path.name(), 0);
            if (done == -Errno.EISDIR) {
                int flag = LinuxCalls.AT_REMOVEDIR;
                done = LinuxCalls.unlinkat(directory.number(), path.name(), flag);
            }
            Errno.check(done, path);
        }
    }

    private Descriptor resolve(WorkspacePath path, long flags, long resolve) throws IOException {
        life.readLock().lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            int fd = -Errno.EAGAIN;
            for (int i = 0; fd == -Errno.EAGAIN && i < ATTEMPTS; i++) {
                fd =
                        LinuxCalls.openat2(
                                root.number(),
                                path.value(),
                                flags | O_CLOEXEC,
                                0,
                                BENEATH | resolve);
            }
            return new Descriptor(Errno.check(fd, path));
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
