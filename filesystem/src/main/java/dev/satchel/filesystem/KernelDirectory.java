package dev.satchel.filesystem;

import static dev.satchel.filesystem.KernelRoot.NO_LINKS;
import static dev.satchel.filesystem.KernelRoot.O_DIRECTORY;
import static dev.satchel.filesystem.KernelRoot.O_NOFOLLOW;
import static dev.satchel.filesystem.KernelRoot.O_PATH;

import dev.satchel.filesystem.linux.FileSystemCalls;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Resolves paths with openat2 beneath one open directory. Links are followed as long as they stay
 * inside. A file is first opened with {@code O_PATH}, checked, and then opened through that
 * descriptor, so that no irregular file is opened and no file can be swapped in between.
 */
final class KernelDirectory implements SafeDirectory {
    private final KernelRoot root;
    private final SharedTreeReads reads;

    private KernelDirectory(KernelRoot root, SharedTreeReads reads) {
        this.root = root;
        this.reads = reads;
    }

    /** Empty if the system has no openat2, or a seccomp filter forbids it. */
    static Optional<SafeDirectory> tryOpen(Path path, SharedTreeReads reads) throws IOException {
        return KernelRoot.tryOpen(path).map(root -> new KernelDirectory(root, reads));
    }

    @Override
    public OpenFile open(WorkspacePath path) throws IOException {
        try (FileDescriptor file = root.resolve(path, O_PATH, 0)) {
            FileStat stat = file.status(path).stat();
            if (!stat.isFile()) {
                throw new IrregularFileException(path, stat.kind());
            }
            return new OpenFile(file.reopen(StandardOpenOption.READ), stat);
        }
    }

    @Override
    public FileStat stat(WorkspacePath path) throws IOException {
        try (FileDescriptor file = root.resolve(path, O_PATH | O_NOFOLLOW, 0)) {
            return file.status(path).stat();
        }
    }

    @Override
    public String readLink(WorkspacePath path) throws IOException {
        try (FileDescriptor link = root.resolve(path, O_PATH | O_NOFOLLOW, 0)) {
            FileStat stat = link.status(path).stat();
            if (stat.kind() != FileStat.Kind.LINK) {
                throw new IrregularFileException(path, stat.kind());
            }
            return link.target(path);
        }
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath path) throws IOException {
        return read(path);
    }

    @Override
    public void visit(Predicate<WorkspaceEntry> wanted, Visitor visitor) throws IOException {
        try (FileDescriptor top = root.resolve(WorkspacePath.ROOT, O_PATH | O_DIRECTORY, 0);
                DirectoryReadAhead ahead =
                        new DirectoryReadAhead(
                                reads.begin(top.identity(WorkspacePath.ROOT)),
                                this::read,
                                wanted)) {
            new WorkspaceWalk(ahead, WorkspacePath.ROOT).visit(wanted, visitor);
        }
    }

    private DirectoryContents read(WorkspacePath path) throws IOException {
        try (FileDescriptor directory = root.resolve(path, O_DIRECTORY, NO_LINKS)) {
            return KernelDirectoryReader.of(directory, path);
        }
    }

    @Override
    public NewFile create(WorkspacePath path) throws IOException {
        return KernelNewFile.begin(parentOf(path), path);
    }

    /** Usually exists. */
    private FileDescriptor parentOf(WorkspacePath path) throws IOException {
        try {
            return root.resolve(path.parent(), O_PATH | O_DIRECTORY, 0);
        } catch (NoSuchFileException e) {
            return makeDirectories(path.parent());
        }
    }

    @Override
    public void createDirectories(WorkspacePath path) throws IOException {
        makeDirectories(path).close();
    }

    /** The caller closes the directory. */
    private FileDescriptor makeDirectories(WorkspacePath path) throws IOException {
        FileDescriptor directory = root.resolve(WorkspacePath.ROOT, O_PATH | O_DIRECTORY, 0);
        WorkspacePath reached = WorkspacePath.ROOT;
        for (String name : path.names()) {
            reached = reached.resolve(name);
            try (FileDescriptor above = directory) {
                int made = FileSystemCalls.mkdirat(above.number(), name, 0755);
                if (made < 0 && made != -Errno.EEXIST) {
                    Errno.check(made, reached);
                }
                directory = root.resolve(reached, made < 0 ? O_PATH | O_DIRECTORY : O_DIRECTORY, 0);
                if (made == 0) {
                    setOwner(directory, above.status(reached));
                }
            }
        }
        return directory;
    }

    /** The sandbox runs as another user and must be able to change the new file. */
    static void setOwner(FileDescriptor file, FileDescriptor.Status above) {
        // fails for a process that is not root, which owns the directory already
        int _ = FileSystemCalls.fchown(file.number(), above.owner(), above.group());
    }

    @Override
    public void link(WorkspacePath path, String target) throws IOException {
        try (FileDescriptor directory = parentOf(path)) {
            String temporary = TemporaryNames.next();
            int at = directory.number();
            Errno.check(FileSystemCalls.symlinkat(target, at, temporary), path);
            int done = FileSystemCalls.renameat(at, temporary, at, path.name());
            if (done < 0) {
                int _ = FileSystemCalls.unlinkat(at, temporary, 0);
            }
            Errno.check(done, path);
        }
    }

    @Override
    public void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException {
        try (FileDescriptor file = root.resolve(path, O_PATH | O_NOFOLLOW, 0)) {
            if (file.status(path).stat().kind() != FileStat.Kind.LINK) {
                file.setMode(mode);
            }
        }
        try (FileDescriptor directory = root.resolve(path.parent(), O_PATH | O_DIRECTORY, 0)) {
            Errno.check(FileSystemCalls.utimensat(directory.number(), path.name(), modified), path);
        }
    }

    @Override
    public void rename(WorkspacePath from, WorkspacePath to) throws IOException {
        try (FileDescriptor source = root.resolve(from.parent(), O_PATH | O_DIRECTORY, 0);
                FileDescriptor target = makeDirectories(to.parent())) {
            int done =
                    FileSystemCalls.renameat(
                            source.number(), from.name(), target.number(), to.name());
            Errno.check(done, done == -Errno.ENOENT ? from : to);
        }
    }

    @Override
    public void delete(WorkspacePath path) throws IOException {
        try (FileDescriptor directory = root.resolve(path.parent(), O_PATH | O_DIRECTORY, 0)) {
            int done = FileSystemCalls.unlinkat(directory.number(), path.name(), 0);
            if (done == -Errno.EISDIR) {
                int flag = FileSystemCalls.AT_REMOVEDIR;
                done = FileSystemCalls.unlinkat(directory.number(), path.name(), flag);
            }
            Errno.check(done, path);
        }
    }

    @Override
    public void close() {
        root.close();
    }
}
